package rules_test

import (
	"os"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// TestTexts holds that every rule has what `resgen explain` prints, and that
// its example shows it: found in the bad document, not in the good one.
func TestTexts(t *testing.T) {
	for _, r := range rules.All() {
		t.Run(r.ID, func(t *testing.T) {
			e := r.Example()
			if n := strings.Count(e.Bad, "# "+r.ID); n != 1 {
				t.Errorf("the bad example marks %d lines with %s, want 1:\n%s", n, r.ID, e.Bad)
			}
			if strings.Contains(e.Good, "# RG") || strings.Contains(e.Good+e.Bad, "# want") {
				t.Errorf("the good example is marked, or a want comment is left:\n%s", e.Good)
			}
			if about := r.About(); !strings.Contains(about, "**Why.**") {
				t.Errorf("no reason in:\n%s", about)
			}
			if e.Shows == "" || strings.Contains(e.Shows, ":\n") {
				t.Errorf("the archive's first line is %q, want what the example shows", e.Shows)
			}
		})
	}
}

// TestHandbookDocs holds that README.md is what the texts make of it.
func TestHandbookDocs(t *testing.T) {
	want := rules.Handbook()
	if *update {
		if err := os.WriteFile("README.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("README.md is not what the rules' texts make; run: make generate")
	}
}

// TestRegistry holds that rules are ordered by ID, each once, and found by ID
// and by name.
func TestRegistry(t *testing.T) {
	last, names := "", map[string]bool{}
	for _, r := range rules.All() {
		if r.ID <= last || names[r.Name] {
			t.Errorf("%s %s comes after %s, or its name is taken", r.ID, r.Name, last)
		}
		last, names[r.Name] = r.ID, true
		for _, word := range []string{r.ID, strings.ToLower(r.ID), r.Name} {
			if found, ok := rules.Find(word); !ok || found.ID != r.ID {
				t.Errorf("Find(%q) = %v, %v, want %s", word, found.ID, ok, r.ID)
			}
		}
	}
	if _, ok := rules.Find("RG000"); ok {
		t.Error("Find(RG000) finds a rule, want none")
	}
}
