package policy

import "strings"

// proven is the class that a method alone proves (RFC 9110, section 9.2).
func proven(method string) Class {
	switch strings.ToUpper(method) {
	case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY":
		return Safe
	case "PUT", "DELETE":
		return Idempotent
	}
	return Unsafe // POST, PATCH and methods that nobody knows
}

// classify sets the class: the one stated or, without one, what the method
// proves, keyed where a write has a key of its own or declares one.
func (o *Operation) classify(stated Value) {
	o.Proven = proven(o.Spec.Method)
	switch {
	case stated.Exists():
		o.Class, o.ClassOrigin, o.ClassReason = Class(index(classes, stated.Text)), stated.Origin, stated.Reason
	case o.Proven == Unsafe && o.Key != nil:
		o.Class, o.ClassOrigin, o.ClassReason = Keyed, o.Key.Origin, o.Key.Reason
	default:
		o.Class, o.ClassOrigin = o.Proven, Origin{Layer: LayerDefault}
	}
}
