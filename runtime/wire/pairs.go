package wire

import (
	"fmt"
	"strconv"
)

// A pairs is a list of name=value pairs: a query, a form body, the cookies.
type pairs struct {
	buf     []byte
	medium  *medium
	scratch []byte // of names
}

// A medium is where pairs travel.
type medium struct {
	between  string // pairs
	plus     bool   // a space is "+"
	value    *byteSet
	reserved *byteSet // of values with allowReserved
	name     *byteSet
	check    func(string) error // of each text
}

var (
	queryMedium  = medium{between: "&", value: &unreserved, reserved: &reservedInQuery, name: &unreserved, check: checkText}
	formMedium   = medium{between: "&", plus: true, value: &unreserved, reserved: &reservedInQuery, name: &unreserved, check: checkText}
	cookieMedium = medium{between: "; ", value: &cookieOctet, reserved: &cookieOctet, name: &cookieName, check: checkCookieText}

	cookieName = unreserved.with("!#$&'*+^`|") // token without the percent sign
)

func (p *pairs) values(s Style) escaping {
	if s.has(AllowReserved) {
		return escaping{keep: p.medium.reserved, plus: p.medium.plus, triples: true}
	}
	return escaping{keep: p.medium.value, plus: p.medium.plus}
}

// add appends an argument in style s. An unset one appends nothing.
func (p *pairs) add(name string, o operand, s Style) error {
	if o.kind == unset {
		return nil
	}
	if err := o.check(); err != nil {
		return err
	}
	if err := p.checkStyle(s); err != nil {
		return err
	}
	switch {
	case o.kind != treeOperand:
		return p.addScalar(name, o, p.values(s))
	case len(o.tree.items) == 0:
		if s.has(AllowEmpty) {
			p.begin(name)
		}
		return nil
	case s.base() == DeepObject:
		return p.addDeep(p.escapedName(name), *o.tree, p.values(s))
	case s.has(Explode):
		return p.addExploded(name, *o.tree, p.values(s))
	default:
		return p.addJoined(name, *o.tree, s)
	}
}

func (p *pairs) checkStyle(s Style) error {
	switch s.base() {
	case Form:
		return nil
	case SpaceDelimited, PipeDelimited, TabDelimited, DeepObject:
		if p.medium != &cookieMedium {
			return nil
		}
	}
	return fmt.Errorf("style is %s, which has no meaning here; want form", s)
}

// begin starts a pair up to its equals sign.
func (p *pairs) begin(name string) {
	p.beginEscaped(p.escapedName(name))
}

func (p *pairs) beginEscaped(name []byte) {
	if len(p.buf) > 0 {
		p.buf = append(p.buf, p.medium.between...)
	}
	p.buf = append(p.buf, name...)
	p.buf = append(p.buf, '=')
}

// escapedName is valid until the next call.
func (p *pairs) escapedName(name string) []byte {
	p.scratch = escaping{keep: p.medium.name, plus: p.medium.plus}.appendTo(p.scratch[:0], name)
	return p.scratch
}

func (p *pairs) addScalar(name string, o operand, e escaping) error {
	if o.kind == textOperand {
		if err := p.medium.check(o.text); err != nil {
			return err
		}
	}
	p.begin(name)
	p.buf = o.appendEscaped(p.buf, e)
	return nil
}

// addExploded appends a pair per item under the parameter's name, or a pair
// per member under the member's. OpenAPI leaves a list as a member undefined:
// members go out as parameters of their own would, which is a pair per item and
// what servers read that bind an object's members one by one.
func (p *pairs) addExploded(name string, t tree, e escaping) error {
	var plain joining
	if t.kind == '[' {
		for i, item := range t.items {
			text, err := plain.text(item)
			if err != nil {
				return fmt.Errorf("item %d %w", i, err)
			}
			if err := p.addScalar(name, operand{kind: textOperand, text: text}, e); err != nil {
				return fmt.Errorf("item %d: %w", i, err)
			}
		}
		return nil
	}
	for member, v := range t.members {
		if v.kind == '[' {
			if err := p.addExploded(member, v, e); err != nil {
				return fmt.Errorf("member %q: %w", member, err)
			}
			continue
		}
		text, err := plain.text(v)
		if err != nil {
			return fmt.Errorf("member %q %w", member, err)
		}
		if err := p.addScalar(member, operand{kind: textOperand, text: text}, e); err != nil {
			return fmt.Errorf("member %q: %w", member, err)
		}
	}
	return nil
}

// addJoined appends one pair that holds all items.
func (p *pairs) addJoined(name string, t tree, s Style) error {
	j := joining{sep: ",", escape: p.values(s)}
	if divider := s.divider(); divider != "," {
		j.sep, j.taken = string(escaping{keep: &unreserved}.appendTo(nil, divider)), divider
	} else if s.has(AllowReserved) {
		j.taken = "," // it would go out as it is
	}
	if err := p.checkTree(t); err != nil {
		return err
	}
	start := len(p.buf)
	p.begin(name)
	buf, err := j.appendTo(p.buf, t)
	if err != nil {
		p.buf = p.buf[:start]
		return err
	}
	p.buf = buf
	return nil
}

// checkTree checks the texts of a tree's items.
func (p *pairs) checkTree(t tree) error {
	for _, item := range t.items {
		if err := p.medium.check(item.text); err != nil {
			return err
		}
	}
	for _, name := range t.names {
		if err := p.medium.check(name); err != nil {
			return err
		}
	}
	return nil
}

// addDeep appends a pair per leaf: prefix[member][0]=value. OpenAPI leaves
// nesting undefined; these brackets are what servers that nest read.
func (p *pairs) addDeep(prefix []byte, t tree, e escaping) error {
	prefix = append([]byte(nil), prefix...)
	deeper := func(key string) []byte {
		b := append(prefix[:len(prefix):len(prefix)], "%5B"...)
		b = escaping{keep: p.medium.name, plus: p.medium.plus}.appendTo(b, key)
		return append(b, "%5D"...)
	}
	leaf := func(key string, v tree) error {
		switch v.kind {
		case 'n':
			return errNull
		case '[', '{':
			return p.addDeep(deeper(key), v, e)
		}
		p.beginEscaped(deeper(key))
		p.buf = e.appendTo(p.buf, v.text)
		return nil
	}
	if t.kind == '[' {
		for i, item := range t.items {
			if err := leaf(strconv.Itoa(i), item); err != nil {
				return fmt.Errorf("item %d: %w", i, err)
			}
		}
		return nil
	}
	for name, v := range t.members {
		if err := leaf(name, v); err != nil {
			return fmt.Errorf("member %q: %w", name, err)
		}
	}
	return nil
}
