// Package runtime is a stand-in with the names that the analyzers know.
package runtime

type Key struct{ Value string }

type RepeatableOption interface{ appliesToRepeatableOperation() }

type Option interface{ RepeatableOption }

type option struct{}

func (option) appliesToRepeatableOperation() {}

func WithIdempotencyKey(k Key) RepeatableOption { return option{} }
func KeyFrom(parts ...string) Key               { return Key{} }
func NewKey() Key                               { return Key{} }

type Outcome int

const (
	_ Outcome = iota
	NotSent
	Rejected
	Unknown
	Applied
)

type CallError struct{ Outcome Outcome }

func (*CallError) Error() string { return "" }
