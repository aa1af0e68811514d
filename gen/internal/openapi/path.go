package openapi

import (
	"fmt"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// lowerPath splits the path template at its parameters. A placeholder that
// nobody declares becomes a text parameter; a declared path parameter without a
// placeholder is left out, as it could not be sent.
func (l *lowerer) lowerPath(op *opSource, params []*model.Param) {
	o := op.out
	path := op.path.Text()
	path, fragment, cut := strings.Cut(path, "#")
	if cut {
		l.diags.Warnf(op.path.Pos(), "path-fragment", "path %q has a fragment, which is never sent: #%s is left out", op.path.Text(), fragment).
			WithHint("tell the operations apart by parameters")
	}
	o.Path, o.FixedQuery, _ = strings.Cut(path, "?")
	if !strings.HasPrefix(o.Path, "/") {
		l.diags.Warnf(op.path.Pos(), "path-slash", "path %q does not begin with a slash; one is added", o.Path).WithHint("write /%s", o.Path)
		o.Path = "/" + o.Path
	}
	used := map[*model.Param]bool{}
	o.Segments = l.segments(op, params, used)
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

func (l *lowerer) segments(op *opSource, params []*model.Param, used map[*model.Param]bool) []model.Segment {
	var out []model.Segment
	literal := func(text string) {
		if text == "" {
			return
		}
		if n := len(out); n > 0 && out[n-1].Param == nil {
			out[n-1].Literal += escapePath(text)
			return
		}
		out = append(out, model.Segment{Literal: escapePath(text)})
	}
	rest := op.out.Path
	for rest != "" {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(rest[open:], '}')
		name := ""
		if end > 0 {
			name = rest[open+1 : open+end]
		}
		if end < 0 || name == "" || strings.ContainsAny(name, "{/") {
			l.diags.Warnf(op.path.Pos(), "path-template", "path %q has a brace that opens no parameter; it is taken as text", op.path.Text()).
				WithHint("close the brace, or write %%7B")
			literal(rest[:open+1])
			rest = rest[open+1:]
			continue
		}
		literal(rest[:open])
		p := l.placeholder(op, params, name)
		used[p] = true
		out = append(out, model.Segment{Param: p})
		rest = rest[open+end+1:]
	}
	literal(rest)
	return out
}

// placeholder is the parameter that a placeholder stands for, also under the
// marks that gateways add ({proxy+}, {path*}).
func (l *lowerer) placeholder(op *opSource, params []*model.Param, name string) *model.Param {
	for _, want := range [...]string{name, strings.Trim(name, "+*?;./")} {
		for _, p := range params {
			if p.In == model.InPath && p.Wire == want {
				return p
			}
		}
		for _, p := range op.out.Params {
			if p.In == model.InPath && p.Wire == want {
				return p // declared by an earlier placeholder
			}
		}
	}
	p := &model.Param{
		Pos: op.path.Pos(), Wire: name, In: model.InPath, Required: true, Style: model.Simple,
		Type: &model.Type{Pos: op.path.Pos(), Kind: model.String, Pointer: op.pointer},
	}
	l.diags.Warnf(op.path.Pos(), "path-placeholder", "{%s} in %s has no parameter; taken as text", name, op.path.Text()).
		WithHint("declare a path parameter named %q", name)
	op.out.Params = append(op.out.Params, p)
	return p
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
