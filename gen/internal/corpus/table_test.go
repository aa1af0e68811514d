//go:build corpus

package corpus

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// print shows what every specification gave and cost.
func print(results []*result) {
	fmt.Println("| spec | operations | types | called | warnings | gen s | gen MiB | lines | build CPU s |")
	fmt.Println("| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |")
	for _, r := range results {
		fmt.Printf("| %s | %d | %d | %d | %s | %.2f | %d | %d | %.1f |\n", r.spec, r.operations, r.types, r.called, r.kinds(),
			r.gen.wall.Seconds(), r.gen.mib, r.lines, r.build.cpu.Seconds())
	}
}

// kinds are the warnings by kind.
func (r *result) kinds() string {
	var out []string
	for _, code := range slices.Sorted(maps.Keys(r.warnings)) {
		out = append(out, fmt.Sprintf("%s %d", code, r.warnings[code]))
	}
	return strings.Join(out, ", ")
}

// summary is what must not change unnoticed: no times, no sizes.
func summary(results []*result) string {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s: %d operations, %d types", r.spec, r.operations, r.types)
		if kinds := r.kinds(); kinds != "" {
			fmt.Fprintf(&b, "; %s", kinds)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("RESGEN_SPECS") != "" {
		return // other specs than those that the record is of
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("the record in %s differs; got:\n%s\nif it is right, run: go test -tags corpus ./gen/internal/corpus -run Corpus -count=1 -args -update", path, got)
	}
}
