package policy

// takeOffers settles what an operation takes up of the retries that reach it.
func (o *Operation) takeOffers() {
	if o.Class != Unsafe {
		return
	}
	attempts, when := o.Leaves.Get(RetryMaxAttempts), o.Leaves.Get(RetryWhen)
	if attempts.Int() <= 1 {
		o.Leaves = o.Leaves.with(derived(RetryWhen, noLimit))
		return
	}
	offered := when.Set()
	taken := intersect(offered, o.Rejects)
	o.Leaves = o.Leaves.with(derived(RetryWhen, taken.Text()))
	if taken.Empty() {
		o.Leaves = o.Leaves.with(derived(RetryMaxAttempts, "1"))
		o.NotTaken = append(o.NotTaken, Offer{Leaf: RetryMaxAttempts, Text: attempts.Text, Taken: "1", Origin: attempts.Origin, Why: Unsafe.String()})
		return
	}
	if left := subtract(offered, taken); len(left) > 0 {
		o.NotTaken = append(o.NotTaken, Offer{Leaf: RetryWhen, Text: Set{Texts: left}.Text(), Taken: taken.Text(), Origin: when.Origin, Why: Unsafe.String()})
	}
}

// asks are the leaves, standing on the operation or in a policy that it uses,
// that want it sent again: maxAttempts above 1 where nothing is in rejects,
// and members of when that rejects does not cover. Where the operation itself
// says that there is one attempt, nothing asks; that retry is off around it is
// no answer to what it asks. The leaves are those before sections are switched off.
func (o *Operation) asks() []Ask {
	attempts := o.Leaves.Get(RetryMaxAttempts)
	if attempts.Int() <= 1 && attempts.Origin.Own() {
		return nil
	}
	if by, off := o.Leaves.off(RetryEnabled); off && by.Origin.Own() {
		return nil
	}
	var out []Ask
	if attempts.Int() > 1 && attempts.Origin.Own() && o.Rejects.Empty() {
		out = append(out, Ask{Leaf: RetryMaxAttempts, Text: attempts.Text, Origin: attempts.Origin})
	}
	when := o.Leaves.Get(RetryWhen).Set()
	for _, m := range sortedMembers(KindStatuses, when.Members) {
		if m.In && m.Origin.Own() && len(subtract(Set{Texts: []string{m.Text}, Not: when.Not}, o.Rejects)) > 0 {
			out = append(out, Ask{Leaf: RetryWhen, Text: m.Text, Origin: m.Origin})
		}
	}
	return out
}
