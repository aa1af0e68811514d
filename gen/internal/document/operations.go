package document

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// checkOperationIDs reports ids that two operations share: neither the
// client's methods nor the record of policies can tell them apart. Where two
// paths share one path item, only the first keeps the id.
func checkOperationIDs(root Node, ds *diag.List) {
	type use struct {
		id   Node
		name string
	}
	first := map[string]use{}
	for path, item := range root.Get("paths").Members() {
		if strings.HasPrefix(path.Text(), "x-") {
			continue // an extension
		}
		for _, method := range methods {
			id := item.Get(method).Get("operationId")
			if id.Text() == "" {
				continue
			}
			here := use{id, strings.ToUpper(method) + " " + short(path.Text())}
			before, taken := first[id.Text()]
			if !taken {
				first[id.Text()] = here
				continue
			}
			if before.id.Pos() == id.Pos() {
				ds.Warnf(id.Pos(), "shared-operation-id", "operationId %s is that of %s and of %s, which share what is written here; %s was read without", inQuotes(id.Text()), before.name, here.name, here.name)
				o := object{Node: item.Get(method).y, copied: true}
				o.drop("operationId")
				continue
			}
			ds.Errorf(id.Pos(), "duplicate-operation-id", "operationId %s belongs to both %s and %s; want an id of its own for each operation", inQuotes(id.Text()), before.name, here.name).
				WithHint("rename one of the two, in the description or by an overlay").
				WithRelated(before.id.Pos(), "%s has it first", before.name)
		}
	}
}

func lostOperation(kept, dropped *yaml.Node, ds *diag.List) {
	ds.Errorf(pos(dropped), "duplicate-key", "%s of this path comes twice; one of the two operations is lost", dropped.Value).
		WithHint("remove one of the two, or give it a path of its own").
		WithRelated(pos(kept), "it comes again here")
}

func isMethod(name string) bool {
	for _, m := range methods {
		if name == m {
			return true
		}
	}
	return false
}
