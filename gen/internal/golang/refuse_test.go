package golang_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRetryOptionsAreRefused holds that an operation that may not be repeated
// takes no option that repeats it, and that the compiler's message says why.
func TestRetryOptionsAreRefused(t *testing.T) {
	dir := writeModule(t, readGoldens(t))
	const message = `RepeatableOption does not implement "github.com/resgen-dev/resgen/runtime".Option (missing method appliesToAnyOperation)`
	tests := []struct{ name, option, want string }{
		{"attempts", "rt.WithMaxAttempts(3)", message},
		{"key", `rt.WithIdempotencyKey(rt.Key{Value: "k"})`, message},
		{"time", "rt.WithTimeout(time.Second)", ""},
		{"no retry", "rt.WithoutRetry()", ""},
	}
	for _, tt := range tests {
		src := `package main

import (
	"context"
	"time"

	api "example.invalid/goldens/unsafewrite"
	rt "github.com/resgen-dev/resgen/runtime"
)

const _ = time.Second

func main() {
	var c *api.Client
	_ = c.CreateRefund(context.Background(), api.CreateRefundRequest{ID: "p"}, ` + tt.option + `)
}
`
		write(t, filepath.Join(dir, "caller", "main.go"), []byte(src))
		cmd := exec.Command("go", "vet", "./caller")
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v\n%s\nwant it to compile", tt.name, err, out)
		case tt.want != "" && !strings.Contains(string(out), tt.want):
			t.Errorf("%s: the compiler says\n%s\nwant %q", tt.name, out, tt.want)
		}
	}
}
