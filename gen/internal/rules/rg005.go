package rules

import (
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg005 = &rule{
	Rule: Rule{
		ID: "RG005", Name: "permanent-status-retried", Severity: diag.Error,
		Depends: "error (warning for the range 5XX)",
		Says:    "`when` holds a status that a repeat cannot mend.",
	},
	check: checkPermanentRetried,
}

func checkPermanentRetried(p *pass) {
	for _, o := range p.plan.Operations {
		when := o.Value(policy.RetryWhen)
		for _, m := range when.Members {
			if !m.In || !written(m.Origin) {
				continue
			}
			if !retriesMember(o, m.Text) {
				continue // an offer that this operation does not take up
			}
			if status, err := strconv.Atoi(m.Text); err == nil {
				checkPermanentStatus(p, o, m, status)
				continue
			}
			checkPermanentRange(p, o, m, when.Set())
		}
	}
}

func checkPermanentStatus(p *pass, o *policy.Operation, m policy.Member, status int) {
	if !permanent(status) || inFlight(o, status) {
		return
	}
	if status == 409 || status == 423 {
		p.operationAt(o, m.Origin, "%d is retried and nothing says that it means in flight; a repeat cannot mend it otherwise", status).
			do("write {%d: in-flight} in idempotency.key.statuses if the provider says so, or take %d out of when", status, status)
		return
	}
	p.operationAt(o, m.Origin, "%d is retried; %s", status, whyPermanent(status)).do("take %d out of when", status)
}

// checkPermanentRange finds the permanent statuses that a range holds. Of 5XX
// they are two that few servers send, so that it is only warned of.
func checkPermanentRange(p *pass, o *policy.Operation, m policy.Member, when policy.Set) {
	digit, isRange := rangeDigit(m.Text)
	if !isRange {
		return // timeout or connection
	}
	severity := diag.Error
	if digit == 5 {
		severity = diag.Warn
	}
	var held []string
	for status := digit * 100; status < digit*100+100; status++ {
		if known(status) && permanent(status) && when.Has(status) && !inFlight(o, status) {
			held = append(held, strconv.Itoa(status))
		}
	}
	if len(held) == 0 {
		return
	}
	p.operationAt(o, m.Origin, "%s is retried and holds %s, which a repeat cannot mend", m.Text, strings.Join(held, ", ")).as(severity).
		do("name the statuses one by one, or take these out: {%s: false}", strings.Join(held, ": false, "))
}

// retriesMember reports whether the operation is sent again after a member of
// `when`: an unsafe write only after what its rejects hold.
func retriesMember(o *policy.Operation, text string) bool {
	return attempts(o) > 1 && (o.Repeatable() || covers(o.Rejects, text))
}

// covers reports whether a set holds a status, or a whole range.
func covers(s policy.Set, text string) bool {
	if status, err := strconv.Atoi(text); err == nil {
		return s.Has(status)
	}
	digit, isRange := rangeDigit(text)
	if !isRange {
		return s.HasWord(text)
	}
	for _, r := range s.Ranges() {
		if r == digit {
			return true
		}
	}
	return false
}

// rangeDigit is the first digit of a range: 5 of 5XX.
func rangeDigit(text string) (digit int, ok bool) {
	if len(text) != 3 || !strings.EqualFold(text[1:], "XX") || text[0] < '1' || text[0] > '5' {
		return 0, false
	}
	return int(text[0] - '0'), true
}

// permanent reports whether a repeat of the same request cannot change an
// answer of this status. 409 and 423 can, where they mean in flight.
func permanent(status int) bool {
	switch status {
	case 408, 421, 425, 429:
		return false // too slow, wrong connection, too early, too often: all pass
	case 501, 505:
		return true // the server cannot do it at all
	}
	return status < 500
}

// known reports whether a status is one that servers use, so that a range is
// not said to hold those that do not exist.
func known(status int) bool {
	switch status {
	case 400, 401, 403, 404, 405, 409, 410, 422, 423, 501, 505:
		return true
	}
	return status < 400 && status%100 == 0
}

func whyPermanent(status int) string {
	switch {
	case status < 400:
		return "it is no failure"
	case status == 401 || status == 403:
		return "the same credentials are refused again"
	case status < 500:
		return "the same request is refused again"
	}
	return "the server cannot do it"
}

// inFlight reports whether the operation's key says that a status means that
// another call with the key is at work.
func inFlight(o *policy.Operation, status int) bool {
	if o.Key == nil {
		return false
	}
	for _, m := range o.Key.Statuses {
		if m.Meaning == policy.InFlight && (m.Status == strconv.Itoa(status) || sameRange(m.Status, status)) {
			return true
		}
	}
	return false
}

func sameRange(text string, status int) bool {
	digit, isRange := rangeDigit(text)
	return isRange && digit == status/100
}
