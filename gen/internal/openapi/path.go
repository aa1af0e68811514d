package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// lowerPath splits the path template at its parameters. A placeholder that
// nobody declares becomes a text parameter; a declared path parameter without a
// placeholder is left out, as it could not be sent.
func (l *lowerer) lowerPath(op *opSource, params []*model.Param) {
	o := op.out
	path, fragment, cut := cutOutside(op.path.Text(), '#')
	if cut {
		l.diags.Warnf(op.path.Pos(), "path-fragment", "path %q has a fragment, which is never sent: #%s is left out", op.path.Text(), fragment).
			WithHint("tell the operations apart by parameters")
	}
	o.Path, o.FixedQuery, _ = cutOutside(path, '?')
	if !strings.HasPrefix(o.Path, "/") {
		l.diags.Warnf(op.path.Pos(), "path-slash", "path %q does not begin with a slash; one is added", o.Path).WithHint("write /%s", o.Path)
		o.Path = "/" + o.Path
	}
	params = l.queryHoles(op, params)
	path = l.otherHoles(op, params)
	used := map[*model.Param]bool{}
	o.Segments = l.segments(op, path, params, used)
	for _, p := range params {
		if p.In == model.InPath && !used[p] {
			l.diags.Warnf(p.Pos, "path-parameter", "path parameter %q has no place in %s; it is left out", p.Wire, o.Path).
				WithHint("add {%s} to the path, or remove the parameter", p.Wire).
				WithRelated(op.path.Pos(), "the path")
			continue
		}
		o.Params = append(o.Params, p)
	}
}

// queryHoles takes {?a,b} from the end of a path: what it names is sent in the
// query.
func (l *lowerer) queryHoles(op *opSource, params []*model.Param) []*model.Param {
	for _, h := range holes(op.out.Path) {
		if !h.isQuery() {
			continue
		}
		op.out.Path = strings.Replace(op.out.Path, "{"+h.text+"}", "", 1)
		for name := range strings.SplitSeq(h.text[1:], ",") {
			name = strings.Trim(name, " *")
			if name == "" || slices.ContainsFunc(params, func(p *model.Param) bool { return p.In == model.InQuery && p.Wire == name }) {
				continue
			}
			l.diags.Warnf(op.path.Pos(), "path-placeholder", "{%s} in %s names the query parameter %q, which is not declared; taken as optional text", h.text, op.path.Text(), name).
				WithHint("declare a query parameter named %q", name)
			params = append(params, &model.Param{
				Pos: op.path.Pos(), Wire: name, In: model.InQuery, Style: model.Form, Explode: true,
				Type: &model.Type{Pos: op.path.Pos(), Kind: model.String, Pointer: op.pointer},
			})
		}
	}
	return params
}

// otherHoles is the path with braces around declared parameters that it marks in
// another way: :id and <id>, as routers do, or with escaped braces.
func (l *lowerer) otherHoles(op *opSource, params []*model.Param) string {
	path := op.out.Path
	for _, p := range params {
		if p.In != model.InPath || fits(path, p.Wire) {
			continue
		}
		segments := strings.Split(path, "/")
		for i, s := range segments {
			if s != ":"+p.Wire && s != "<"+p.Wire+">" && !strings.EqualFold(s, "%7B"+p.Wire+"%7D") &&
				!(strings.HasPrefix(s, "<") && strings.HasSuffix(s, ":"+p.Wire+">")) {
				continue
			}
			segments[i] = "{" + p.Wire + "}"
			l.diags.Warnf(op.path.Pos(), "path-placeholder", "%s in %s is read as the place of the path parameter %q", s, op.path.Text(), p.Wire).
				WithHint("write {%s}", p.Wire)
		}
		path = strings.Join(segments, "/")
	}
	return path
}

// fits reports whether a path has a hole of that name.
func fits(path, name string) bool {
	return slices.ContainsFunc(holes(path), func(h hole) bool {
		bare, _ := bareName(h.text)
		return h.text == name || bare == name
	})
}

func (l *lowerer) segments(op *opSource, path string, params []*model.Param, used map[*model.Param]bool) []model.Segment {
	var out []model.Segment
	found := holes(path)
	at := 0
	literal := func(text string) {
		if text != "" {
			out = append(out, model.Segment{Literal: escapePath(text)})
		}
	}
	for _, h := range found {
		literal(path[at:h.from])
		p := l.placeholder(op, path, params, h)
		used[p] = true
		out = append(out, model.Segment{Param: p})
		at = h.to
	}
	literal(path[at:])
	braces := 0
	for _, s := range out {
		braces += strings.Count(s.Literal, "%7B") + strings.Count(s.Literal, "%7D")
	}
	if braces > strings.Count(path, "%7B")+strings.Count(path, "%7D") {
		l.diags.Warnf(op.path.Pos(), "path-template", "path %q has a brace that opens no parameter; it is taken as text", op.path.Text()).
			WithHint("close the brace, or write %%7B")
	}
	return out
}

// placeholder is the parameter that a hole stands for: of the same name, as
// written or without what routers add; else one without a place whose name
// differs in case and punctuation only.
func (l *lowerer) placeholder(op *opSource, path string, params []*model.Param, h hole) *model.Param {
	bare, several := bareName(h.text)
	for _, want := range [...]string{h.text, bare} {
		for _, list := range [...][]*model.Param{params, op.out.Params} { // the second: made for an earlier hole
			for _, p := range list {
				if p.In == model.InPath && p.Wire == want {
					p.SeveralSegments = p.SeveralSegments || several && want != h.text
					return p
				}
			}
		}
	}
	if p := meantBy(path, params, bare); p != nil {
		l.diags.Warnf(op.path.Pos(), "path-placeholder", "{%s} in %s has no parameter; the path parameter %q, which has no place, is put there", h.text, op.path.Text(), p.Wire).
			WithHint("write {%s}", p.Wire).WithRelated(p.Pos, "the parameter")
		return p
	}
	p := &model.Param{
		Pos: op.path.Pos(), Wire: bare, In: model.InPath, Required: true, Style: model.Simple, SeveralSegments: several,
		Type: &model.Type{Pos: op.path.Pos(), Kind: model.String, Pointer: op.pointer},
	}
	l.diags.Warnf(op.path.Pos(), "path-placeholder", "{%s} in %s has no parameter; taken as text", h.text, op.path.Text()).
		WithHint("declare a path parameter named %q", bare)
	op.out.Params = append(op.out.Params, p)
	return p
}

// meantBy is the declared parameter without a place that a hole without a
// parameter means, or nil.
func meantBy(path string, params []*model.Param, name string) *model.Param {
	for _, p := range params {
		if p.In == model.InPath && alikeNames(p.Wire, name) && !fits(path, p.Wire) {
			return p
		}
	}
	return nil
}

// escapePath escapes what cannot stand in a path as it is. Escapes that are
// there already stay.
func escapePath(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]):
			b.WriteByte(c)
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/!$&'()*+,;=:@", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
