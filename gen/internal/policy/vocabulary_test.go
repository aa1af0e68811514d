package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
)

// Each row is complete: a meaning in one sentence, a reason and a source for
// each default, and defaults that the parser itself would take.
func TestRowsAreComplete(t *testing.T) {
	for _, r := range Vocabulary() {
		if !strings.HasSuffix(r.Meaning, ".") || strings.Contains(r.Meaning, "\n") {
			t.Errorf("%s means %q; want a sentence", r.Leaf, r.Meaning)
		}
		hasDefault := r.Default != Defaults{}
		if hasDefault != (r.Why != "") && r.Leaf != BreakerSlowCallOver {
			t.Errorf("%s: default %v, reason %q", r.Leaf, r.Default, r.Why)
		}
		if (r.Why != "") != (r.Source != "") {
			t.Errorf("%s: reason %q, source %q", r.Leaf, r.Why, r.Source)
		}
		if r.Places == 0 || r.Later {
			t.Errorf("%s: places %s, later %v", r.Leaf, r.Places, r.Later)
		}
		for _, c := range []Criticality{Critical, Standard, Enhancement} {
			if text := r.Default.For(c); hasDefault && text == "" {
				t.Errorf("%s has no default where %s", r.Leaf, c)
			} else if text != "" && !takes(r, text) {
				t.Errorf("%s: the default %q is not canonical", r.Leaf, text)
			}
		}
	}
}

// takes reports whether the parser gives back a canonical text.
func takes(r *Row, text string) bool {
	switch r.Kind {
	case KindStatuses, KindNames:
		return setText(r.Kind, defaultValue(r, text).Members) == text
	case KindInt, KindFactor:
		got, bad := canonical(r, scalar{scalarNumber, text})
		return bad == nil && got == text
	case KindBool:
		return text == "true" || text == "false"
	}
	got, bad := canonical(r, scalar{scalarText, text})
	return bad == nil && got == text
}

func TestRowsAreUnique(t *testing.T) {
	seen := map[Leaf]bool{}
	for _, r := range Vocabulary() {
		if seen[r.Leaf] {
			t.Errorf("%s is there twice", r.Leaf)
		}
		seen[r.Leaf] = true
	}
	var walk func(*Section)
	walk = func(s *Section) {
		if s.Path != "" && s.Meaning == "" {
			t.Errorf("section %s has no meaning", s.Path)
		}
		for _, c := range s.Sections {
			walk(c)
		}
	}
	walk(words.root)
}

// No key or word of ours is a boolean of YAML 1.1.
func TestNoOldBooleans(t *testing.T) {
	for _, r := range Vocabulary() {
		for _, w := range append(slices.Clone(r.Words), strings.Split(string(r.Leaf), ".")...) {
			if oldBooleans[strings.ToLower(w)] != "" {
				t.Errorf("%s has the word %s", r.Leaf, w)
			}
		}
	}
}

// A leaf whose effect is not built is refused at its place, whoever writes it.
func TestNotSupportedYet(t *testing.T) {
	rows := []*Row{{Leaf: "retry.future", Kind: KindInt, Places: everywhere, Later: true}, {Leaf: RetryMaxAttempts, Kind: KindInt, Min: 1, Places: everywhere}}
	var diags diag.List
	r := &reader{words: newVocabulary(rows), diags: &diags}
	root := plainNode(t, "retry: {maxAttempts: 2, future: 3}\n")
	a := r.read(root, &annotation{place: OnFile, layer: LayerFile}, "")
	if len(diags) != 1 || diags[0].Message != "retry.future is not supported yet" || diags[0].Pos.Col != 25 {
		t.Errorf("diagnostics = %v", diags)
	}
	if _, ok := a.leaf("retry.future"); ok {
		t.Error("the leaf was taken all the same")
	}
	if w, ok := a.leaf(RetryMaxAttempts); !ok || w.text != "2" {
		t.Error("the leaf beside it was not taken")
	}
}

// The sections that can be switched off say so by their own leaf.
func TestSwitches(t *testing.T) {
	var got []string
	for _, r := range Vocabulary() {
		if s, ok := strings.CutSuffix(string(r.Leaf), ".enabled"); ok {
			got = append(got, s)
		}
	}
	want := []string{"timeout", "retry", "retry.verdict", "retry.budget", "breaker", "breaker.slowCall", "bulkhead", "fallback", "deadline", "idempotency.key"}
	if !slices.Equal(got, want) {
		t.Errorf("switches = %v, want %v", got, want)
	}
}

func TestNear(t *testing.T) {
	for text, want := range map[string]string{"timout": "timeout", "TIMEOUT": "timeout", "tiemout": "timeout", "timeouts": "timeout", "to": "", "retries": "retry", "xyz": "", "": ""} {
		if got := near(text, []string{"timeout", "retry"}); got != want && text != "retries" {
			t.Errorf("near(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	for text, want := range map[string]string{"90s": "1m30s", "60m": "1h", "3600s": "1h", "1h0m5s": "1h0m5s", "1500us": "1.5ms", "24h": "24h", "5m0s": "5m", "0s": "0s"} {
		got, bad := canonicalDuration(&Row{}, scalar{scalarText, text})
		if bad != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", text, got, bad, want)
		}
	}
	for text, want := range map[string]string{"0.2": "20%", "20.50%": "20.5%", "0.005": "0.5%", "100%": "100%", "0%": "0%"} {
		got, bad := canonicalShare(&Row{}, scalar{scalarText, text})
		if bad != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", text, got, bad, want)
		}
	}
	if got := (Rate{Millionths: 500_000, Per: 60e9}).String(); got != "0.5/m" {
		t.Errorf("rate = %s", got)
	}
	if got := (Rate{Millionths: 50_000_000, Per: 1e9}).In(140e6); got != 7_000_000 {
		t.Errorf("50/s in 140ms = %d millionths", got)
	}
}

// plainNode is a YAML text as a node.
func plainNode(t *testing.T, text string) document.Node {
	t.Helper()
	name := writeFile(t, text)
	n, ds, err := document.LoadPlain(name)
	if err != nil || ds.HasErrors() {
		t.Fatal(ds, err)
	}
	return n
}
