package diff

import (
	"slices"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A view is one operation of one side with the lines that hold for it, those
// of its compartment included.
type view struct {
	op    *policy.RecordOperation
	lines map[string]policy.Line
	order []string        // keys in the record's order
	own   map[string]bool // lines of the operation, not of its compartment
}

func viewOf(r *policy.Record, op *policy.RecordOperation) view {
	v := view{op: op, lines: map[string]policy.Line{}, own: map[string]bool{}}
	if c := r.Compartment(op.Compartment); c != nil {
		for _, l := range c.Lines {
			v.add(l)
		}
	}
	for _, l := range r.Effective(op) {
		v.own[l.Key] = true
		v.add(l)
	}
	return v
}

func (v *view) add(l policy.Line) {
	if _, seen := v.lines[l.Key]; !seen {
		v.order = append(v.order, l.Key)
	}
	v.lines[l.Key] = l
}

// value is the text of a line, empty where there is none.
func (v view) value(key string) string { return v.lines[key].Value }

// class is the operation's class, that of the method where the record has none.
func (v view) class() string {
	if c := v.value("class"); c != "" {
		return c
	}
	return provenClass(v.op.Method)
}

// stated reports whether the class is more than the method proves.
func (v view) stated() bool {
	return permits(v.class()) > permits(provenClass(v.op.Method))
}

// keyed reports whether the operation sends an idempotency key.
func (v view) keyed() bool { return v.value("key") != "" }

// retried reports whether some answer or failure leads to another attempt.
func (v view) retried() bool {
	if sectionOff(v.lines, "retry") {
		return false
	}
	order, ok := compareQuantities(v.value(string(policy.RetryMaxAttempts)), "1")
	return ok && order > 0 && v.value(string(policy.RetryMaxAttempts)) != "" &&
		len(parseSet(v.value(string(policy.RetryWhen))).in) > 0
}

// exposed reports whether a second sending may have a second effect as far as
// the method and the key tell: the operation is retried, bears no key, and
// only a statement of the annotation says that this does no harm.
func (v view) exposed() bool {
	return v.retried() && !v.keyed() && (v.stated() || v.class() == "unsafe")
}

// provenClass is what a method proves by itself.
func provenClass(method string) string {
	switch strings.ToUpper(method) {
	case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY":
		return "safe"
	case "PUT", "DELETE":
		return "idempotent"
	}
	return "unsafe"
}

// permits orders classes by how freely they may be sent again.
func permits(class string) int {
	return slices.Index([]string{"unsafe", "keyed", "idempotent", "safe"}, class)
}

// isSwitch reports whether a leaf is what switches its section off.
func isSwitch(section, key string) bool {
	return key == section+".enabled" || key == string(policy.FallbackKind) || key == string(policy.DeadlineHeader)
}

// sectionOff reports whether the lines switch a section off.
func sectionOff(lines map[string]policy.Line, section string) bool {
	switch section {
	case "fallback":
		kind := lines[string(policy.FallbackKind)].Value
		return (kind == "" || kind == "none") && lines[string(policy.FallbackCoalesce)].Value != "true"
	case "deadline":
		return lines[string(policy.DeadlineHeader)].Value == ""
	}
	return lines[section+".enabled"].Value == "false"
}

// A keyText is the record's one line about a key, taken apart.
type keyText struct {
	place     string        // "header Idempotency-Key"
	generate  string        // "auto" or "caller"
	stores    string        // "errors" or "success"
	retention time.Duration // 0: unknown
	rest      []string      // what remains, in order
}

func parseKey(text string) keyText {
	var k keyText
	for i, part := range strings.Split(text, ", ") {
		d, err := time.ParseDuration(part)
		switch {
		case i == 0:
			k.place = part
		case part == "auto" || part == "caller":
			k.generate = part
		case strings.HasPrefix(part, "stores "):
			k.stores = strings.TrimPrefix(part, "stores ")
		case err == nil:
			k.retention = d
		default:
			k.rest = append(k.rest, part)
		}
	}
	return k
}
