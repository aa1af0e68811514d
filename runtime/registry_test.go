package runtime_test

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestRegistryShares(t *testing.T) {
	bubble(t, func(t *testing.T) {
		registry := &rt.Registry{}
		share := func(c *rt.ClientConfig) { c.Registry = registry }
		p := tripAt(bare(rt.Safe), 3)
		_, _ = newClient(t, p, always(faulttest.Status(503)), share).do(t.Context())
		again := *p // another package's literal of the same compartment
		same := *p.Compartment
		again.Compartment = &same
		rtr := always(faulttest.Step{})
		if _, err := newClient(t, &again, rtr, share).do(t.Context()); !errors.Is(err, rt.ErrCircuitOpen) {
			t.Errorf("second client: %v, want the shared open circuit", err)
		}
		if _, err := newClient(t, &again, rtr).do(t.Context()); err != nil {
			t.Errorf("a client of its own: %v", err)
		}
	})
}

func TestSnapshotHandler(t *testing.T) {
	bubble(t, func(t *testing.T) {
		registry := &rt.Registry{}
		p := tripAt(bare(rt.Safe), 3)
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 4}
		_, _ = newClient(t, p, always(faulttest.Status(503)), func(c *rt.ClientConfig) { c.Registry = registry }).do(t.Context())
		w := httptest.NewRecorder()
		registry.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		var s struct {
			Compartments []struct {
				Dependency, Host, Circuit, ReopensIn string
				MaxConcurrent, RepeatsLeft           int
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || w.Code != 200 {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		k := s.Compartments[0]
		if d, err := time.ParseDuration(k.ReopensIn); err != nil || d <= 0 || k.Dependency != "payments" || k.Circuit != "open" || k.MaxConcurrent != 4 || k.RepeatsLeft != -1 {
			t.Errorf("snapshot = %s", w.Body)
		}
		if w.Header().Get("X-Not-A-Readiness-Probe") == "" {
			t.Error("it does not say that it is no readiness probe")
		}
	})
}

func TestClientsOfARegistryAgreeWhenTheyAreMade(t *testing.T) {
	registry := &rt.Registry{}
	engine := func(most int, more ...*rt.Policy) error {
		p := bare(rt.Safe)
		p.Compartment.Bulkhead.MaxConcurrent = most
		_, err := rt.NewEngine(rt.EngineSpec{Package: "payments", Policies: append(more, p)}, rt.ClientConfig{Registry: registry})
		return err
	}
	if err := engine(9, nil); err == nil {
		t.Error("a nil policy: no error")
	}
	for _, c := range []struct {
		most int
		ok   bool
	}{{5, true}, {5, true}, {7, false}, {5, true}} {
		if err := engine(c.most); (err == nil) != c.ok || !c.ok && !strings.Contains(err.Error(), "other values") {
			t.Errorf("MaxConcurrent %d: %v, want it made: %t", c.most, err, c.ok)
		}
	}
	p := bare(rt.Safe)
	if _, err := rt.NewRunner(rt.RunnerConfig{Registry: registry}, p); err == nil || !strings.Contains(err.Error(), "runner: policy 1") {
		t.Errorf("a runner with other values: %v, want policy 1 named", err)
	}
}

func TestCompartmentsOfOneNameAgree(t *testing.T) {
	a, b := bare(rt.Safe), bare(rt.Safe)
	if _, err := rt.NewEngine(rt.EngineSpec{Policies: []*rt.Policy{a, b}}, rt.ClientConfig{}); err != nil {
		t.Errorf("equal literals: %v", err)
	}
	b.Compartment.Bulkhead.MaxConcurrent = 7
	if _, err := rt.NewEngine(rt.EngineSpec{Policies: []*rt.Policy{a, b}}, rt.ClientConfig{}); err == nil || !strings.Contains(err.Error(), "policy 2") {
		t.Errorf("= %v, want that policy 2 differs", err)
	}
	b.Compartment.Name = "reports"
	if _, err := rt.NewEngine(rt.EngineSpec{Policies: []*rt.Policy{a, b}}, rt.ClientConfig{}); err != nil {
		t.Errorf("another name: %v", err)
	}
}
