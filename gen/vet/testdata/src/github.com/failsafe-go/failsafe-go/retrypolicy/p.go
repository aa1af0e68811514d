// Package retrypolicy is a stand-in.
package retrypolicy

type RetryPolicy[R any] interface{ ToExecutor(R) any }

type Builder[R any] interface{ Build() RetryPolicy[R] }

func NewBuilder[R any]() Builder[R]          { return nil }
func NewWithDefaults[R any]() RetryPolicy[R] { return nil }
func New[R any](args ...any) RetryPolicy[R]  { return nil }
