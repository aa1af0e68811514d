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
		said := vetCaller(t, dir, `package main

import (
	"context"
	"time"

	api "example.invalid/goldens/unsafewrite"
	rt "github.com/resgen-dev/resgen/runtime"
)

const _ = time.Second

func main() {
	var c *api.Client
	_ = c.CreateRefund(context.Background(), api.CreateRefundRequest{ID: "p"}, `+tt.option+`)
}
`)
		if tt.want == "" && said != "" || !strings.Contains(said, tt.want) {
			t.Errorf("%s: the compiler says\n%s\nwant %q", tt.name, said, tt.want)
		}
	}
}

// TestServersOfOthersAreRefused holds that the server of an operation cannot be
// chosen for the document, nor the other way round.
func TestServersOfOthersAreRefused(t *testing.T) {
	dir := writeModule(t, readGoldens(t))
	tests := []struct{ config, want string }{
		{"Server: api.ServerLocal{}, ReadBlobServer: api.ServerReadBlobCdn{}", ""},
		{"Server: api.ServerReadBlobCdn{}", "api.ServerReadBlobCdn does not implement api.Server (missing method serverURL)"},
		{"ReadBlobServer: api.ServerLocal{}", "api.ServerLocal does not implement api.ReadBlobServer (missing method readBlobServerURL)"},
	}
	for _, tt := range tests {
		said := vetCaller(t, dir, `package main

import api "example.invalid/goldens/servers"

func main() { _ = api.Config{`+tt.config+`} }
`)
		if tt.want == "" && said != "" || !strings.Contains(said, tt.want) {
			t.Errorf("%s: the compiler says\n%s\nwant %q", tt.config, said, tt.want)
		}
	}
}

// vetCaller type-checks a program that uses the goldens, and returns what the
// compiler says of it.
func vetCaller(t *testing.T, dir, src string) string {
	t.Helper()
	write(t, filepath.Join(dir, "caller", "main.go"), []byte(src))
	cmd := exec.Command("go", "vet", "./caller")
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(string(out), `"example.invalid/goldens/servers".`, "api.")
}
