// Package circuitbreaker is a stand-in.
package circuitbreaker

type CircuitBreaker[R any] interface{ ToExecutor(R) any }

type Builder[R any] interface{ Build() CircuitBreaker[R] }

func NewBuilder[R any]() Builder[R]             { return nil }
func NewWithDefaults[R any]() CircuitBreaker[R] { return nil }
func New[R any](args ...any) CircuitBreaker[R]  { return nil }
