package wire

import "fmt"

// A Fields is an application/x-www-form-urlencoded body in the making.
type Fields struct {
	r     *Request
	pairs pairs
}

// FormBody sets a form body, to which [FormField] and its kin add the fields.
func FormBody(r *Request, mediaType string) *Fields {
	r.form = &Fields{r: r, pairs: pairs{medium: &formMedium}}
	r.setHeader("Content-Type", concreteType(mediaType, "application/x-www-form-urlencoded"))
	return r.form
}

// FormField adds a field in one of the styles of queries. Unset sends nothing.
func FormField[T any](f *Fields, name string, v T, s Style) {
	f.add(name, operandOf(v), s)
}

// FormJSON adds a field as JSON text. Unset sends nothing.
func FormJSON[T any](f *Fields, name string, v T) {
	f.add(name, jsonOperand(any(v)), Form)
}

// FormMembers adds each member of an object, a map or a union as a field of
// its own in style form, exploded: additional properties, and bodies that are
// no struct.
func FormMembers[T any](f *Fields, v T) {
	f.addMembers(operandOf(v))
}

func (f *Fields) add(name string, o operand, s Style) {
	if err := f.pairs.add(name, o, s); err != nil {
		f.r.fail("form field", name, err)
	}
}

func (f *Fields) addMembers(o operand) {
	members, err := o.members()
	if err != nil {
		f.r.note(fmt.Errorf("form: %w", err))
		return
	}
	for name, v := range members.members {
		f.add(name, v.operand(), Form|Explode)
	}
}

// members is the object that an argument is. An unset one has none.
func (o operand) members() (tree, error) {
	switch {
	case o.kind == unset:
		return tree{}, nil
	case o.kind == badOperand:
		return tree{}, o.err
	case o.kind != treeOperand || o.tree.kind != '{':
		return tree{}, fmt.Errorf("value is no object; want one, whose members are the fields")
	default:
		return *o.tree, nil
	}
}

// operand is a member as an argument of its own.
func (t tree) operand() operand {
	switch {
	case t.kind == 'n':
		return operand{}
	case t.scalar():
		return operand{kind: textOperand, text: t.text}
	default:
		return operand{kind: treeOperand, tree: &t}
	}
}
