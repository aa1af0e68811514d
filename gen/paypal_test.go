package gen

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/sample"
)

// TestPayPalFromItsOverlay takes a real spec with the overlay of
// examples/paypal all the way: the client generates, builds and vets, its
// declared key is recognised without annotation, and every operation is called
// against a server that answers from the spec's own schemas.
func TestPayPalFromItsOverlay(t *testing.T) {
	spec := filepath.Join(specFolder(t), "paypal-orders.json")
	overlay := filepath.Join("..", "examples", "paypal", "paypal.overlay.yaml")
	out := filepath.Join(t.TempDir(), "paypal")
	c := &Config{Version: 1, Clients: []Client{{Spec: spec, Overlays: []string{overlay}, Out: out}}}
	run, err := Generate(c)
	if err != nil || run.Verdict != Accepted {
		t.Fatalf("generate: %v %v", err, run.Diagnostics)
	}
	if err := run.Write(); err != nil {
		t.Fatal(err)
	}
	p, err := c.resolve(c.Clients[0])
	if err != nil || p.plan == nil {
		t.Fatalf("resolve: %v %v", err, p.found)
	}
	keyed := wantPayPalPolicy(t, p.plan)

	seen := &requests{}
	server := httptest.NewServer(seen.before(sample.Handler(p.api, sample.Minimal)))
	defer server.Close()
	for name, failure := range callAll(t, out, server.URL) {
		if failure != "" {
			t.Errorf("%s: %s", name, failure)
		}
	}
	if len(seen.all) != len(p.plan.Operations) {
		t.Errorf("requests = %d, want one for each of %d operations: %v", len(seen.all), len(p.plan.Operations), seen.all)
	}
	for route, key := range seen.all {
		if want := slices.ContainsFunc(keyed, func(suffix string) bool { return strings.HasSuffix(route, suffix) }); want != (key != "") {
			t.Errorf("%s: PayPal-Request-Id is %q; want one: %v", route, key, want)
		}
	}
}

// wantPayPalPolicy holds what the spec and the overlay say of the operations,
// and returns the ends of the routes that bear a key.
func wantPayPalPolicy(t *testing.T, plan *policy.Plan) []string {
	t.Helper()
	classes := map[string]policy.Class{
		"orders.create": policy.Keyed, "orders.authorize": policy.Keyed, "orders.capture": policy.Keyed,
		"orders.get": policy.Safe, "orders.trackers.patch": policy.Idempotent,
		"orders.patch": policy.Unsafe, "orders.confirm": policy.Unsafe, "orders.track.create": policy.Unsafe,
	}
	for _, op := range plan.Operations {
		if op.Class != classes[op.Spec.ID] {
			t.Errorf("%s is %s, want %s", op.Spec.ID, op.Class, classes[op.Spec.ID])
		}
		if op.Class == policy.Keyed && (op.Key == nil || op.Key.Name != "PayPal-Request-Id" || op.ClassOrigin.Layer != policy.LayerInferred) {
			t.Errorf("%s: its key is not the declared one, inferred from the plain spec", op.Spec.ID)
		}
		if got := op.Value(policy.TimeoutAttempt).Text; got != "4s" {
			t.Errorf("%s: timeout.attempt is %s, want the overlay's 4s", op.Spec.ID, got)
		}
	}
	return []string{"POST /v2/checkout/orders", "/authorize", "/capture"}
}

// requests are those that a server got: route to idempotency key.
type requests struct {
	mu  sync.Mutex
	all map[string]string
}

func (s *requests) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		if s.all == nil {
			s.all = map[string]string{}
		}
		s.all[r.Method+" "+r.URL.Path] = r.Header.Get("PayPal-Request-Id")
		s.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

// callAll builds and vets a generated package in a module of its own and calls
// each of its operations once. It returns the error of each method, or "".
func callAll(t *testing.T, pkg, url string) map[string]string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(pkg)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(mod), "\ntool ")
	text = strings.Replace(text, "module "+modulePath, "module smoke", 1) +
		"\nrequire " + modulePath + " v0.0.0\nreplace " + modulePath + " => " + root + "\n"
	put(t, filepath.Join(folder, "go.mod"), text)
	put(t, filepath.Join(folder, "go.sum"), string(sum))
	put(t, filepath.Join(folder, "main.go"), strings.ReplaceAll(smokeMain, "PACKAGE", filepath.Base(pkg)))
	goRun(t, folder, "vet", "./...")
	var failures map[string]string
	if err := json.Unmarshal(goRun(t, folder, "run", ".", url), &failures); err != nil {
		t.Fatal(err)
	}
	return failures
}

func goRun(t *testing.T, folder string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		said := ""
		if exit, ok := err.(*exec.ExitError); ok {
			said = string(exit.Stderr)
		}
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	return out
}

const modulePath = "github.com/resgen-dev/resgen"

// smokeMain calls every method of Client that takes a context, with what the
// path needs filled in, and prints their errors.
const smokeMain = `package main

import (
	"context"
	"encoding/json"
	"os"
	"reflect"

	rt "github.com/resgen-dev/resgen/runtime"
	client "smoke/PACKAGE"
)

func main() {
	c, err := client.NewClient(client.Config{BaseURL: os.Args[1], Auth: client.Auth{Oauth2: rt.StaticToken("token")}})
	if err != nil {
		panic(err)
	}
	failures := map[string]string{}
	v := reflect.ValueOf(c)
	for i := range v.NumMethod() {
		m := v.Method(i)
		if m.Type().NumIn() == 0 || m.Type().In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		args := []reflect.Value{reflect.ValueOf(context.Background())}
		for j := 1; j < m.Type().NumIn() && !(m.Type().IsVariadic() && j == m.Type().NumIn()-1); j++ {
			arg := reflect.New(m.Type().In(j)).Elem()
			fill(arg, 1)
			args = append(args, arg)
		}
		out := m.Call(args)
		failures[v.Type().Method(i).Name] = ""
		if err, failed := out[len(out)-1].Interface().(error); failed {
			failures[v.Type().Method(i).Name] = err.Error()
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(failures); err != nil {
		panic(err)
	}
}

// fill puts something into the texts of a request.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x1")
	case reflect.Struct:
		for i := range v.NumField() {
			if depth > 0 && v.Type().Field(i).IsExported() {
				fill(v.Field(i), depth-1)
			}
		}
	}
}
`
