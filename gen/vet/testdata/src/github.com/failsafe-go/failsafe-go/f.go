// Package failsafe is a stand-in.
package failsafe

type Policy[R any] interface{ ToExecutor(R) any }

type Executor[R any] interface {
	Run(fn func() error) error
	Get(fn func() (R, error)) (R, error)
}

type executor[R any] struct{}

func (executor[R]) Run(fn func() error) error           { return fn() }
func (executor[R]) Get(fn func() (R, error)) (R, error) { return fn() }

func With[R any](outer Policy[R], inner ...Policy[R]) Executor[R] { return executor[R]{} }
func NewExecutor[R any](policies ...Policy[R]) Executor[R]        { return executor[R]{} }

func Run(fn func() error, policies ...Policy[any]) error                { return fn() }
func Get[R any](fn func() (R, error), policies ...Policy[R]) (R, error) { return fn() }
