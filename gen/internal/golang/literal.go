package golang

import (
	"fmt"
	"strconv"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var (
	multi  = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}
	inline = jen.Options{Open: "{", Close: "}", Separator: ", "}
)

// A literal is a struct literal of package rt in the making. Fields stand in
// the order in which they are added, and those that would be zero are left out.
type literal struct {
	p       *pkg
	name    string
	multi   bool // one field a line
	untyped bool // within a list of its type
	fields  []jen.Code
}

func (p *pkg) literal(name string, multi bool) *literal {
	return &literal{p: p, name: name, multi: multi}
}

func (l *literal) code() *jen.Statement {
	opts := inline
	if l.multi {
		opts = multi
	}
	s := &jen.Statement{}
	if !l.untyped {
		s = l.p.rt(l.name)
	}
	return s.Custom(opts, l.fields...)
}

func (l *literal) add(field string, value jen.Code) {
	l.fields = append(l.fields, jen.Id(field).Op(":").Add(value))
}

// nested adds a literal within the literal unless it says nothing.
func (l *literal) nested(field string, inner *literal) {
	if len(inner.fields) > 0 {
		l.add(field, inner.code())
	}
}

func (l *literal) text(field, s string) {
	if s != "" {
		l.add(field, jen.Lit(s))
	}
}

func (l *literal) int(field string, n int) {
	if n != 0 {
		l.add(field, jen.Lit(n))
	}
}

func (l *literal) flag(field string, b bool) {
	if b {
		l.add(field, jen.True())
	}
}

func (l *literal) time(field string, d time.Duration) {
	if d != 0 {
		l.add(field, durationCode(d))
	}
}

// duration adds a duration leaf; "none" is the zero of the field.
func (l *literal) duration(field string, v policy.Value) {
	if d, limited := v.Duration(); limited {
		l.time(field, d)
	}
}

// share adds a share leaf, rounded up to a hundredth of a percent.
func (l *literal) share(field string, v policy.Value) {
	points := (v.Share() + 99) / 100
	switch {
	case points == 0:
	case points%100 == 0:
		l.units(field, points/100, "Percent")
	default:
		l.units(field, points, "BasisPoint")
	}
}

// rate adds a rate leaf, rounded up to one a minute.
func (l *literal) rate(field string, v policy.Value) {
	perMinute := (v.Rate().In(time.Minute) + 999_999) / 1_000_000
	switch {
	case perMinute == 0:
	case perMinute%60 == 0:
		l.units(field, perMinute/60, "PerSecond")
	default:
		l.units(field, perMinute, "PerMinute")
	}
}

// units adds n of one of package rt's units.
func (l *literal) units(field string, n int64, unit string) {
	if n == 1 {
		l.add(field, l.p.rt(unit))
		return
	}
	l.add(field, jen.Op(strconv.FormatInt(n, 10)).Op("*").Add(l.p.rt(unit)))
}

// word adds one of the vocabulary's words as the constant that stands for it.
func (l *literal) word(field, word string, names map[string]string) {
	if word == "" {
		return
	}
	name, ok := names[word]
	if !ok {
		panic(fmt.Sprintf("golang: %s %q not handled", field, word))
	}
	l.add(field, l.p.rt(name))
}

// statuses adds the statuses and ranges (5 for 5XX) of a set.
func (l *literal) statuses(field string, s policy.Set) {
	l.ints(field, append(s.Ranges(), s.Statuses()...))
}

func (l *literal) ints(field string, ns []int) {
	if len(ns) == 0 {
		return
	}
	l.add(field, jen.Index().Int().CustomFunc(inline, func(g *jen.Group) {
		for _, n := range ns {
			g.Lit(n)
		}
	}))
}

func (l *literal) texts(field string, ss []string) {
	if len(ss) == 0 {
		return
	}
	l.add(field, jen.Index().String().CustomFunc(inline, func(g *jen.Group) {
		for _, s := range ss {
			g.Lit(s)
		}
	}))
}
