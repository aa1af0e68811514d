// Package timeout is a stand-in.
package timeout

type Timeout[R any] interface{ ToExecutor(R) any }

type Builder[R any] interface{ Build() Timeout[R] }

func NewBuilder[R any]() Builder[R]      { return nil }
func NewWithDefaults[R any]() Timeout[R] { return nil }
func New[R any](args ...any) Timeout[R]  { return nil }
