package model

// Types calls visit once for every type that the operation uses, directly or
// through other types, in document order. Where visit returns false, what is
// inside the type is not visited.
func (o *Operation) Types(visit func(*Type) bool) { o.walk(map[*Type]bool{}, visit) }

func (o *Operation) walk(seen map[*Type]bool, visit func(*Type) bool) {
	for _, p := range o.Params {
		walk(p.Type, seen, visit)
	}
	if o.Body != nil {
		walkContents(o.Body.Contents, seen, visit)
	}
	for _, r := range o.Responses {
		for _, h := range r.Headers {
			walk(h.Type, seen, visit)
		}
		walkContents(r.Contents, seen, visit)
	}
}

func walkContents(contents []*Content, seen map[*Type]bool, visit func(*Type) bool) {
	for _, c := range contents {
		walk(c.Type, seen, visit)
		for _, f := range c.Fields {
			for _, h := range f.Headers {
				walk(h.Type, seen, visit)
			}
		}
	}
}

// Walk calls visit once for t and every type inside it, those that it reaches
// through references included. Where visit returns false, what is inside the
// type is not visited. A nil type is none.
func (t *Type) Walk(visit func(*Type) bool) { walk(t, map[*Type]bool{}, visit) }

func walk(t *Type, seen map[*Type]bool, visit func(*Type) bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	if !visit(t) {
		return
	}
	walk(t.Elem, seen, visit)
	for _, f := range t.Fields {
		walk(f.Type, seen, visit)
	}
	walk(t.Extra, seen, visit)
	for _, v := range t.Variants {
		walk(v.Type, seen, visit)
	}
}

// Walk calls visit once for every type of the API: those with a name, and
// whatever they and the operations use.
func (a *API) Walk(visit func(*Type) bool) {
	seen := map[*Type]bool{}
	for _, t := range a.Types {
		walk(t, seen, visit)
	}
	for _, o := range a.Operations {
		o.walk(seen, visit)
	}
}
