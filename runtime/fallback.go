package runtime

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// keepCopy keeps a live answer for a later stale fallback.
func (c *Call) keepCopy(x *execution) {
	if c.copied == nil || x.plan.policy.Fallback.Kind != FallbackStale {
		return
	}
	if x.plan.principal == Shared && directive(c.copied.header, "private") {
		return // the server says that it is one user's
	}
	if id, ok := c.identity(x); ok {
		c.engine.copies.put(id, c.Header, c.copied)
	}
}

// fallBack answers in the dependency's place. Where it cannot, the original
// error stands; a fallback's own error joins it.
func (c *Call) fallBack(x *execution, err *CallError) (Source, time.Duration, bool) {
	f := &x.plan.policy.Fallback
	source, age, ok := FromFallback, time.Duration(0), false
	switch f.Kind {
	case FallbackUnset, FallbackNone:
		return 0, 0, false
	case FallbackStatic:
		ok = c.decodeAs(staticAnswer(f), err)
	case FallbackStale:
		source = Stale
		var kept *keptAnswer
		if id, known := c.identity(x); known {
			if kept, age, ok = c.engine.copies.get(id, c.Header, f.MaxAge); ok {
				ok = c.decodeAs(kept, err)
			}
		}
	case FallbackCaller:
		if c.Fallback == nil {
			return 0, 0, false
		}
		if own := c.Fallback(x.ctx, err); own != nil {
			err.joinFallback(own)
		} else {
			ok = true
		}
	default:
		panic(fmt.Sprintf("runtime: fallback kind %d not handled", f.Kind))
	}
	if ok && x.observer != nil {
		x.observe(Event{Kind: FallbackUsed, Class: err.Class, Source: source, Duration: age})
	}
	return source, age, ok
}

// decodeAs decodes an answer that did not come from the dependency now.
func (c *Call) decodeAs(k *keptAnswer, err *CallError) bool {
	a := k.answer(c.Method)
	if own := c.Decode(a); own != nil {
		err.joinFallback(own)
		return false
	}
	c.show(a)
	return true
}

func staticAnswer(f *Fallback) *keptAnswer {
	status := f.Status
	if status == 0 {
		status = http.StatusOK
	}
	return &keptAnswer{status: status, header: http.Header{"Content-Type": {"application/json"}}, body: []byte(f.Value)}
}

// joinFallback adds why the fallback did not answer either. A fallback that
// hands the original error back adds nothing.
func (e *CallError) joinFallback(own error) {
	var same *CallError
	if errors.As(own, &same) && same == e {
		return
	}
	e.Fallback = own
}
