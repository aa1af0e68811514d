//go:build corpus

package corpus

import "fmt"

// print shows what every specification gave and cost.
func print(results []*result) {
	fmt.Println("| spec | operations | types | called | warnings | gen s | gen MiB | lines | build CPU s |")
	fmt.Println("| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |")
	for _, r := range results {
		fmt.Printf("| %s | %d | %d | %d | %s | %.2f | %d | %d | %.1f |\n", r.spec, r.operations, r.types, r.called, kinds(r.warnings),
			r.gen.Wall.Seconds(), r.gen.MiB, r.lines, r.build.CPU.Seconds())
	}
}
