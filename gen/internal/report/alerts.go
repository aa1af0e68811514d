package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// Alerts writes alerting rules, as Prometheus reads them, over the metrics of
// the runtime's Metrics: for each compartment how much of the time its circuit
// may be open, and how near its operations may come to their limits. What is
// off in the policy has no alert.
//
// The thresholds are those of the decision record (S0): a circuit open for 5 %
// of the time is a gap in reliability, 1 % where the dependency is critical; a
// 99th percentile at 70 % of the limit is the last warning before time-outs are
// repeated.
func Alerts(w io.Writer, spec string, p *policy.Plan) error {
	return executeWith(w, "alerts.yaml.tmpl", nil, alertsView{Spec: oneLine(spec), Groups: alertGroups(p)})
}

type alertsView struct {
	Spec   string
	Groups []alertGroup
}

// An alertGroup is what is watched of one compartment. The runtime does not
// tell the hosts of a compartment apart in its metrics, and so neither do alerts.
type alertGroup struct {
	dependency, compartment string
	criticality             policy.Criticality

	Owner            string // quoted; empty: not said
	Circuit, Latency bool   // what there is to watch
}

func alertGroups(p *policy.Plan) []alertGroup {
	var out []alertGroup
	for _, c := range p.Compartments {
		i := slices.IndexFunc(out, func(g alertGroup) bool { return g.dependency == c.Dependency && g.compartment == c.Name })
		if i < 0 {
			i = len(out)
			out = append(out, alertGroup{dependency: c.Dependency, compartment: c.Name, criticality: c.Criticality})
			if c.Owner != "" {
				out[i].Owner = quoted(strings.ReplaceAll(c.Owner, "{{", `{{"{{"}}`)) // Prometheus fills in templates in labels
			}
		}
		g := &out[i]
		g.criticality = min(g.criticality, c.Criticality) // critical is the least
		g.Circuit = g.Circuit || c.Leaves.Get(policy.BreakerEnabled).Text != "false"
		g.Latency = g.Latency || slices.ContainsFunc(c.Operations, limited)
	}
	return slices.DeleteFunc(out, func(g alertGroup) bool { return !g.Circuit && !g.Latency })
}

// limited reports whether the attempts of an operation have a limit.
func limited(op *policy.Operation) bool {
	for _, leaf := range []policy.Leaf{policy.TimeoutAttempt, policy.TimeoutTotal} {
		if _, ok := op.Value(leaf).Duration(); ok {
			return true
		}
	}
	return false
}

// Name is the group's name, quoted.
func (g alertGroup) Name() string {
	return quoted("resgen " + strings.TrimSpace(g.dependency+" "+g.compartment))
}

// Selector picks the compartment's series, for a YAML text in single quotes.
func (g alertGroup) Selector() string {
	label := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "'", "''")
	return fmt.Sprintf(`{dependency="%s",compartment="%s"}`, label.Replace(g.dependency), label.Replace(g.compartment))
}

// Criticality is the word of the vocabulary.
func (g alertGroup) Criticality() string { return g.criticality.String() }

// Severity is that of the alerts.
func (g alertGroup) Severity() string {
	if g.criticality == policy.Critical {
		return "critical"
	}
	return "warning"
}

// OpenShare is the part of an hour that the circuit may be open, in percent.
func (g alertGroup) OpenShare() int {
	if g.criticality == policy.Critical {
		return 1
	}
	return 5
}
