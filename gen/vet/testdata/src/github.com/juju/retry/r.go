// Package retry is a stand-in.
package retry

type CallArgs struct {
	Func     func() error
	Attempts int
}

func Call(args CallArgs) error { return args.Func() }
