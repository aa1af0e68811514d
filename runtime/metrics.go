package runtime

import (
	"context"
	"slices"
	"strconv"
	"sync"
)

// Metrics is an [Observer] that counts, and an [http.Handler] that shows what
// it has counted as Prometheus reads it (text format 0.0.4). Give one to all
// clients of a process. All series have the labels dependency and compartment;
// none has a label that a caller or a server can widen. The zero Metrics is
// ready to use, and safe for concurrent use.
//
//	circuit_breaker_state               0 closed, 1 half-open, 2 open; of several hosts the worst
//	circuit_breaker_calls_total         attempts by state and result: success, failure, ignored, short-circuited
//	bulkhead_active_calls               in flight now
//	bulkhead_rejected_calls_total       no place, and none in the queue
//	retry_attempts_total                attempts by operation and attempt_number, from 1
//	timeout_exceeded_total              limits that were reached, by operation
//	attempt_duration_seconds            histogram by operation
//	attempt_limit_ratio                 histogram by operation: duration over limit, 1 is a time-out
type Metrics struct {
	Registry *Registry // whose circuits and bulkheads are shown. Nil: the counters alone.
	Next     Observer  // told of each event too. Nil: none.

	mu         sync.Mutex
	counters   map[series]int64
	histograms map[series]*histogram
}

// series is one line of a metric.
type series struct {
	metric                  string
	dependency, compartment string
	operation               string // "": the metric does not tell operations apart
	own                     string // further labels, as they are written
}

// The metrics.
const (
	stateGauge     = "circuit_breaker_state"
	activeGauge    = "bulkhead_active_calls"
	callsTotal     = "circuit_breaker_calls_total"
	rejectedTotal  = "bulkhead_rejected_calls_total"
	attemptsTotal  = "retry_attempts_total"
	exceededTotal  = "timeout_exceeded_total"
	durationMetric = "attempt_duration_seconds"
	ratioMetric    = "attempt_limit_ratio"
)

// mostNumbered is the last attempt that has a number of its own: policies have fewer.
const mostNumbered = 10

var (
	durationBounds = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}
	ratioBounds    = []float64{0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99}
)

// A histogram counts values up to bounds.
type histogram struct {
	bounds []float64
	counts []int64 // one more than bounds: what is above all of them
	sum    float64
}

func (h *histogram) add(v float64) {
	i, _ := slices.BinarySearch(h.bounds, v) // a value at a bound counts there
	h.counts[i]++
	h.sum += v
}

// Observe counts an event.
func (m *Metrics) Observe(ctx context.Context, e Event) {
	m.count(e)
	if m.Next != nil {
		m.Next.Observe(ctx, e)
	}
}

func (m *Metrics) count(e Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e.Kind {
	case AttemptStarted:
		number := strconv.Itoa(min(e.Attempt, mostNumbered))
		m.add(series{attemptsTotal, e.Dependency, e.Compartment, e.Operation, `attempt_number="` + number + `"`})
	case AttemptEnded:
		m.add(series{callsTotal, e.Dependency, e.Compartment, "", callLabels(e.State, e.Result)})
		m.histogram(durationMetric, &e, durationBounds).add(e.Duration.Seconds())
		if e.Limit > 0 {
			m.histogram(ratioMetric, &e, ratioBounds).add(float64(e.Duration) / float64(e.Limit))
		}
	case RetrySuppressed:
		if e.Reason == ReasonCircuit {
			m.add(series{callsTotal, e.Dependency, e.Compartment, "", callLabels(Open, "short-circuited")})
		}
	case BulkheadRefused:
		m.add(series{rejectedTotal, e.Dependency, e.Compartment, "", ""})
	case DeadlineExceeded:
		m.add(series{exceededTotal, e.Dependency, e.Compartment, e.Operation, ""})
	}
}

func callLabels(s State, result string) string {
	return `state="` + s.String() + `",result="` + result + `"`
}

func (m *Metrics) add(s series) {
	if m.counters == nil {
		m.counters = make(map[series]int64)
	}
	m.counters[s]++
}

func (m *Metrics) histogram(metric string, e *Event, bounds []float64) *histogram {
	s := series{metric, e.Dependency, e.Compartment, e.Operation, ""}
	h := m.histograms[s]
	if h == nil {
		if m.histograms == nil {
			m.histograms = make(map[series]*histogram)
		}
		h = &histogram{bounds: bounds, counts: make([]int64, len(bounds)+1)}
		m.histograms[s] = h
	}
	return h
}
