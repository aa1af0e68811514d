package rules_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// checked is the codes, with severities, that the rules find above info in a
// document; "ignored" ones are not there.
func checked(t *testing.T, text string, cfg rules.Config) []string {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "spec.yaml", text)
	var out []string
	for _, d := range rules.Check(resolved(t, "spec.yaml", nil, policy.Settings{}), cfg) {
		if d.Severity > diag.Info {
			out = append(out, d.Code+" "+d.Severity.String())
		}
	}
	return out
}

const head = "openapi: 3.0.3\ninfo: {title: Things, version: \"1\"}\nservers: [{url: https://things.internal}]\n"

const unsafeAsk = head + `paths:
  /things:
    post:
      operationId: create
      x-resilience: {retry: {maxAttempts: 3}, idempotency: {class: unsafe}}
      responses: {"201": {description: made}}
`

const manyTries = head + `x-resilience: {timeout: {attempt: 100ms, total: 9s}, retry: {maxAttempts: 8}}
paths:
  /things:
    get: {operationId: list, responses: {"200": {description: rows}}}
`

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		name     string
		document string
		settings map[string]rules.Setting
		want     []string
	}{
		{"RG001 cannot be lowered", unsafeAsk, map[string]rules.Setting{"RG001": rules.AsWarn}, []string{"RG001 error"}},
		{"RG001 cannot be ignored", unsafeAsk, map[string]rules.Setting{"RG001": rules.Ignored}, []string{"RG001 error"}},
		{"a warning", manyTries, nil, []string{"RG503 warning"}},
		{"raised", manyTries, map[string]rules.Setting{"RG503": rules.AsError}, []string{"RG503 error"}},
		{"ignored", manyTries, map[string]rules.Setting{"RG503": rules.Ignored}, nil},
		{"defaults stay infos", head + "paths:\n  /things:\n    get: {operationId: list, responses: {\"200\": {description: rows}}}\n",
			map[string]rules.Setting{"RG601": rules.AsError, "RG010": rules.AsError}, nil},
		{"an info on a written leaf is raised", head + "x-resilience: {retry: {when: [503]}}\npaths:\n  /things:\n    get: {operationId: list, responses: {\"200\": {description: rows}}}\n",
			map[string]rules.Setting{"RG601": rules.AsError}, []string{"RG601 error"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := checked(t, c.document, rules.Config{Settings: c.settings}); !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
		})
	}
}

func TestCheckSettings(t *testing.T) {
	at := func(id string) diag.Pos { return diag.Pos{File: "resgen.yaml", Line: len(id), Col: 1} }
	got := rules.CheckSettings(map[string]rules.Setting{
		"RG001": rules.AsWarn, "RG003": rules.Ignored, "RG004": rules.AsError, "RG010": rules.Ignored, "RG105": rules.AsWarn,
		"RG999": rules.AsWarn, "no-timeout": rules.Ignored,
	}, at)
	var messages []string
	for _, d := range got {
		messages = append(messages, d.Message)
		if d.Severity != diag.Error || d.Hint == "" || !d.Pos.IsValid() {
			t.Errorf("%v with hint %q, want an error with a hint and a place", d, d.Hint)
		}
	}
	want := []string{`"RG999" is no rule`, `"no-timeout" is no rule`, "RG001 is lowered", "RG003 is lowered"}
	for _, w := range want {
		if !slices.ContainsFunc(messages, func(m string) bool { return strings.HasPrefix(m, w) }) {
			t.Errorf("messages %q, want one that begins with %s", messages, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d messages, want %d: %q", len(got), len(want), messages)
	}
}

// TestWaivers holds where a waiver silences, and when.
func TestWaivers(t *testing.T) {
	const waiver = `{rule: RG503, because: x, until: 2027-06-30, owner: y}`
	document := func(root, path, operation string) string {
		text := head + "x-resilience: {timeout: {attempt: 100ms, total: 9s}, retry: {maxAttempts: 8}, waive: [ROOT]}\npaths:\n" +
			"  /a:\n    x-resilience: {waive: [PATH]}\n" +
			"    get: {operationId: a, x-resilience: {waive: [OPERATION]}, responses: {\"200\": {description: rows}}}\n" +
			"    put: {operationId: b, responses: {\"204\": {description: done}}}\n" +
			"  /c:\n    get: {operationId: c, responses: {\"200\": {description: rows}}}\n"
		return strings.NewReplacer("ROOT", root, "PATH", path, "OPERATION", operation).Replace(text)
	}
	day := func(text string) time.Time { return parsed(t, day, text) }
	for _, c := range []struct {
		name     string
		document string
		now      time.Time
		want     []string // subjects of RG503, and other codes
	}{
		{"none", document("", "", ""), time.Time{}, []string{"GET /a and 2 more"}},
		{"at the root", document(waiver, "", ""), time.Time{}, nil},
		{"on a path item", document("", waiver, ""), time.Time{}, []string{"GET /c"}},
		{"on an operation", document("", "", waiver), time.Time{}, []string{"PUT /a and 1 more"}},
		{"of another rule", document("", "", strings.Replace(waiver, "RG503", "RG502", 1)), time.Time{}, []string{"RG901", "GET /a and 2 more"}},
		{"expiry is not judged without a day", document(strings.Replace(waiver, "2027", "2020", 1), "", ""), time.Time{}, nil},
		{"on the last day", document(waiver, "", ""), day("2027-06-30"), nil},
		{"a day later", document(waiver, "", ""), day("2027-07-01"), []string{"RG902", "GET /a and 2 more"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "spec.yaml", c.document)
			var got []string
			for _, d := range rules.Check(resolved(t, "spec.yaml", nil, policy.Settings{}), rules.Config{Now: c.now}) {
				switch {
				case d.Severity == diag.Info:
				case d.Code == "RG503":
					subject, _, _ := strings.Cut(d.Message, ":")
					got = append(got, subject)
				default:
					got = append(got, d.Code)
				}
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
		})
	}
}

// TestCheckTogether holds what names of several documents mean.
func TestCheckTogether(t *testing.T) {
	document := func(title, host, compartment, waive string) string {
		return "openapi: 3.0.3\ninfo: {title: " + title + ", version: \"1\"}\nservers: [{url: https://" + host + "}]\n" +
			"x-resilience: {owner: team, waive: [" + waive + "]}\npaths:\n  /things:\n    get:\n      operationId: list\n" +
			"      x-resilience: {" + compartment + "}\n      responses: {\"200\": {description: rows}}\n" +
			"  /rest:\n    get: {operationId: rest, responses: {\"200\": {description: rows}}}\n"
	}
	const waiver = `{rule: RG208, because: x, until: 2027-06-30, owner: y}`
	for _, c := range []struct {
		name          string
		first, second string
		want          string // beginning of the message; empty: nothing
	}{
		{"two dependencies", document("One", "one.internal", "", ""), document("Two", "two.internal", "", ""), ""},
		{"one dependency in two specs", document("One", "one.internal", "", ""), document("One", "one.internal", "", ""), ""},
		{"one name for two hosts", document("One", "one.internal", "", ""), document("One", "two.internal", "", ""), "one: another spec's dependency has this name and goes to https://one.internal, this one to https://two.internal"},
		{"waived", document("One", "one.internal", "", ""), document("One", "two.internal", "", waiver), ""},
		{"a compartment in two dependencies", document("One", "one.internal", "compartment: slow", ""), document("Two", "two.internal", "compartment: slow", ""), "compartment slow: the name stands for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "a.yaml", c.first)
			write(t, "b.yaml", c.second)
			plans := []*policy.Plan{resolved(t, "a.yaml", nil, policy.Settings{}), resolved(t, "b.yaml", nil, policy.Settings{})}
			got := rules.CheckTogether(plans, rules.Config{})
			switch {
			case c.want == "" && len(got) > 0, c.want != "" && len(got) != 1:
				t.Fatalf("found %v, want %q", got, c.want)
			case c.want != "" && (!strings.HasPrefix(got[0].Message, c.want) || got[0].Pos.File != "b.yaml" || got[0].Severity != diag.Warn):
				t.Errorf("found %v, want %q in b.yaml", got, c.want)
			}
		})
	}
}
