// Package fallback is a stand-in.
package fallback

type Fallback[R any] interface{ ToExecutor(R) any }

type Builder[R any] interface{ Build() Fallback[R] }

func NewBuilder[R any]() Builder[R]       { return nil }
func NewWithDefaults[R any]() Fallback[R] { return nil }
func New[R any](args ...any) Fallback[R]  { return nil }
