package runtime

import "fmt"

// A Class says what happens when an operation is sent twice. It decides which
// retries may ever be made. The zero Class is not valid.
type Class int

// The classes, from RFC 9110 or from the annotation.
const (
	_          Class = iota
	Safe             // changes nothing: GET, HEAD, OPTIONS, TRACE, or declared so
	Idempotent       // twice is as once: PUT, DELETE, or declared so
	Keyed            // a write that bears an idempotency key, the same on every attempt
	Unsafe           // a write that may be done twice if it is sent twice
)

// String returns the class as the annotation writes it.
func (c Class) String() string {
	switch c {
	case Safe:
		return "safe"
	case Idempotent:
		return "idempotent"
	case Keyed:
		return "keyed"
	case Unsafe:
		return "unsafe"
	default:
		return fmt.Sprintf("Class(%d)", int(c))
	}
}
