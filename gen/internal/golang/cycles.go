package golang

import "github.com/resgen-dev/resgen/gen/internal/model"

// A cycleSet knows which structs contain each other by value, which Go cannot
// lay out: a field between two of one group is a pointer.
type cycleSet struct {
	group map[string]int // named struct -> its strongly connected component
	size  map[int]int    // members of a component, self-loops counted as more than one
}

// has reports whether a field of owner that holds a t by value closes a cycle.
func (c cycleSet) has(owner, t *model.Type) bool {
	t = resolve(t)
	if t.Kind != model.Struct {
		return false
	}
	a, b := c.group[owner.Name], c.group[t.Name]
	return a == b && c.size[a] > 1
}

// findCycles groups the named structs by Tarjan's algorithm over the fields
// that would hold a struct by value.
func findCycles(types []*model.Type) cycleSet {
	w := cycleWalk{index: map[string]int{}, low: map[string]int{}, on: map[string]bool{},
		set: cycleSet{group: map[string]int{}, size: map[int]int{}}}
	for _, t := range types {
		if _, seen := w.index[t.Name]; t.Kind == model.Struct && !seen {
			w.visit(t)
		}
	}
	return w.set
}

type cycleWalk struct {
	index, low map[string]int
	on         map[string]bool
	stack      []string
	set        cycleSet
}

func (w *cycleWalk) visit(t *model.Type) {
	w.index[t.Name] = len(w.index) + 1
	w.low[t.Name] = w.index[t.Name]
	w.stack = append(w.stack, t.Name)
	w.on[t.Name] = true
	self := false
	for _, field := range t.Fields {
		to := resolve(field.Type)
		if to.Kind != model.Struct || field.Required == nullable(field.Type) {
			continue // a pointer anyway: optional, or null
		}
		self = self || to.Name == t.Name
		if _, seen := w.index[to.Name]; !seen {
			w.visit(to)
			w.low[t.Name] = min(w.low[t.Name], w.low[to.Name])
		} else if w.on[to.Name] {
			w.low[t.Name] = min(w.low[t.Name], w.index[to.Name])
		}
	}
	if w.low[t.Name] == w.index[t.Name] {
		w.close(t.Name, self)
	}
}

// close takes a finished component off the stack.
func (w *cycleWalk) close(root string, self bool) {
	id := len(w.set.size) + 1
	for {
		last := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		w.on[last] = false
		w.set.group[last] = id
		w.set.size[id]++
		if last == root {
			break
		}
	}
	if self {
		w.set.size[id]++
	}
}
