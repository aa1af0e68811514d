package wire

import (
	"reflect"
	"sync"
)

// unions knows the alternatives of every union type, as [Case] made them: a
// union that is a variant of another is asked through it whether a value is
// one of its own. Without that it would take any, into its Raw.
var unions unionRegistry

type unionRegistry struct {
	mu     sync.RWMutex
	byType map[reflect.Type][]*alternative
}

func (r *unionRegistry) add(union reflect.Type, a *alternative) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byType == nil {
		r.byType = map[reflect.Type][]*alternative{}
	}
	r.byType[union] = append(r.byType[union], a)
}

// of returns the alternatives of a type; none if it is no union.
func (r *unionRegistry) of(t reflect.Type) []*alternative {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byType[t]
}
