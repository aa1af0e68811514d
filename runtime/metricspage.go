package runtime

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ServeHTTP shows the metrics, in a fixed order.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	var page metricsPage
	page.gauges(m.Registry)
	m.mu.Lock()
	for s, n := range m.counters {
		page.add(s, "counter", strconv.FormatInt(n, 10))
	}
	for s, h := range m.histograms {
		page.histogram(s, h)
	}
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(page.bytes()) // the reader may be gone
}

// A metricsPage is metrics as text, still unsorted.
type metricsPage struct{ lines []metricLine }

type metricLine struct {
	metric, kind, labels string
	order                int // among the lines of one histogram
	text                 string
}

func (p *metricsPage) add(s series, kind, value string) { p.line(s, kind, 0, "", "", value) }

func (p *metricsPage) line(s series, kind string, order int, suffix, label, value string) {
	labels := s.labels()
	p.lines = append(p.lines, metricLine{s.metric, kind, labels, order, s.metric + suffix + "{" + labels + label + "} " + value + "\n"})
}

func (p *metricsPage) histogram(s series, h *histogram) {
	var total int64
	for i, n := range h.counts {
		total += n
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = strconv.FormatFloat(h.bounds[i], 'g', -1, 64)
		}
		p.line(s, "histogram", i, "_bucket", `,le="`+bound+`"`, strconv.FormatInt(total, 10))
	}
	p.line(s, "histogram", len(h.counts), "_sum", "", strconv.FormatFloat(h.sum, 'g', -1, 64))
	p.line(s, "histogram", len(h.counts)+1, "_count", "", strconv.FormatInt(total, 10))
}

// gauges adds how the compartments of a registry stand, over all hosts.
func (p *metricsPage) gauges(r *Registry) {
	if r == nil {
		return
	}
	rank := map[string]int{Closed.String(): 0, HalfOpen.String(): 1, Open.String(): 2}
	values := map[series]int{}
	for _, c := range r.Snapshot().Compartments {
		if n, ok := rank[c.Circuit]; ok {
			s := series{metric: stateGauge, dependency: c.Dependency, compartment: c.Compartment}
			values[s] = max(values[s], n)
		}
		if c.MaxConcurrent > 0 {
			values[series{metric: activeGauge, dependency: c.Dependency, compartment: c.Compartment}] += c.InFlight
		}
	}
	for s, n := range values {
		p.add(s, "gauge", strconv.Itoa(n))
	}
}

func (p *metricsPage) bytes() []byte {
	slices.SortFunc(p.lines, func(a, b metricLine) int {
		return cmp.Or(cmp.Compare(a.metric, b.metric), cmp.Compare(a.labels, b.labels), cmp.Compare(a.order, b.order))
	})
	var text []byte
	last := ""
	for _, l := range p.lines {
		if l.metric != last {
			text = append(text, "# TYPE "+l.metric+" "+l.kind+"\n"...)
			last = l.metric
		}
		text = append(text, l.text...)
	}
	return text
}

// labelText escapes the value of a label.
var labelText = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (s *series) labels() string {
	text := `dependency="` + labelText.Replace(s.dependency) + `",compartment="` + labelText.Replace(s.compartment) + `"`
	if s.operation != "" {
		text += `,operation="` + labelText.Replace(s.operation) + `"`
	}
	if s.own != "" {
		text += "," + s.own
	}
	return text
}
