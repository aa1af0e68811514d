package cases

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFoldersNameCasesOfAllPlaces(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	for _, file := range []string{one + "/01-a/case.md", one + "/02-b/spec.yaml", one + "/notes/readme.txt", one + "/INDEX.md", two + "/01-a/spec.yaml"} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	folders, err := Folders(one, two, filepath.Join(one, "none"))
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Values(IDs(folders)))
	if want := []string{"02-b", "one.01-a", "two.01-a"}; !slices.Equal(got, want) {
		t.Errorf("ids = %q, want %q", got, want)
	}
}

func TestWantedReadsTheSecondPartOfRun(t *testing.T) {
	for pattern, want := range map[string]bool{
		"": true, "Cases": true, "Cases/": true, "Cases/21": true, "TestCases/^21": true, "Cases/^1": false, "Cases/const$": false,
	} {
		got, err := Wanted(pattern, "21-const-31")
		if err != nil || got != want {
			t.Errorf("-run %q takes the case: %v, %v; want %v", pattern, got, err, want)
		}
	}
	if _, err := Wanted("Cases/(", "21"); err == nil {
		t.Error("-run Cases/( is no pattern; want an error")
	}
}
