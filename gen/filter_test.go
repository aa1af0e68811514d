package gen

import (
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

func TestMatchPath(t *testing.T) {
	for _, c := range []struct {
		glob, path string
		want       bool
	}{
		{"/charges", "/charges", true},
		{"/charges", "/charges/{id}", false},
		{"/charges/*", "/charges/{id}", true},
		{"/charges/*", "/charges/{id}/refunds", false},
		{"/charges/**", "/charges/{id}/refunds", true},
		{"/charges/{id}", "/charges/{id}", true},
		{"/a[0]/*", "/a[0]/x", true},
		{"/a.b", "/aXb", false},
		{"/größe/*", "/größe/x", true},
	} {
		if got := matchPath(c.glob, c.path); got != c.want {
			t.Errorf("matchPath(%q, %q) = %v, want %v", c.glob, c.path, got, c.want)
		}
	}
}

func TestPruneKeepsWhatIsUsedAndNothingElse(t *testing.T) {
	leaf := &model.Type{Name: "Leaf", Kind: model.Struct}
	node := &model.Type{Name: "Node", Kind: model.Struct}
	node.Fields = []*model.Field{{Type: node}, {Type: &model.Type{Kind: model.List, Elem: leaf}}}
	other := &model.Type{Name: "Other", Kind: model.Struct}
	used, spare := &model.SecurityScheme{Wire: "used"}, &model.SecurityScheme{Wire: "spare"}
	api := &model.API{
		Spec:    "api.yaml",
		Types:   []*model.Type{leaf, node, other},
		Schemes: []*model.SecurityScheme{used, spare},
		Tags:    []model.Tag{{Name: "a"}, {Name: "b"}},
		Operations: []*model.Operation{
			{ID: "get", Path: "/x", Tags: []string{"a"},
				Security:  []model.Requirement{{Schemes: []model.SchemeUse{{Scheme: used}}}},
				Responses: []*model.Response{{Contents: []*model.Content{{Type: node}}}}},
			{ID: "put", Path: "/y", Tags: []string{"b"}, Responses: []*model.Response{{Contents: []*model.Content{{Type: other}}}}},
		},
	}
	got, ds := prune(api, Client{Include: Filter{Tags: []string{"a"}}})
	if len(ds) > 0 {
		t.Fatalf("diagnostics = %v, want none", ds)
	}
	if len(got.Operations) != 1 || len(got.Types) != 2 || len(got.Schemes) != 1 || len(got.Tags) != 1 {
		t.Errorf("operations, types, schemes, tags = %d %d %d %d, want 1 2 1 1", len(got.Operations), len(got.Types), len(got.Schemes), len(got.Tags))
	}
	if len(api.Operations) != 2 || len(api.Types) != 3 {
		t.Error("prune changed the API that it was given")
	}
	if got, _ = prune(api, Client{}); got != api {
		t.Error("without filters the API is another, want it as it is")
	}
}

func TestFilterThatSelectsNothingIsAnError(t *testing.T) {
	api := &model.API{Spec: "api.yaml", Operations: []*model.Operation{{ID: "createCharge", Path: "/charges", Tags: []string{"charges"}}}}
	_, ds := prune(api, Client{Include: ParseFilter([]string{"createCharges"})})
	wantCode(t, ds, "filter")
	if len(ds) == 1 && ds[0].Hint != "write createCharge" {
		t.Errorf("hint = %q, want the near word", ds[0].Hint)
	}
	_, ds = prune(api, Client{Exclude: ParseFilter([]string{"/charges"})})
	wantCode(t, ds, "filter")
}

func TestParseFilterTellsIdsFromPaths(t *testing.T) {
	f := ParseFilter([]string{"repos/get", "charges", "/charges/*", "**/refunds"})
	if len(f.Operations) != 2 || len(f.Tags) != 2 || len(f.Paths) != 2 {
		t.Errorf("filter = %+v, want two ids or tags and two globs", f)
	}
	if !f.matches(&model.Operation{ID: "repos/get", Path: "/repos/{owner}/{repo}"}) {
		t.Error("the id repos/get is not selected")
	}
}

func TestNearWord(t *testing.T) {
	known := []string{"version", "service", "budget", "policies", "clients", "rules"}
	for word, want := range map[string]string{"versoin": "version", "client": "clients", "polices": "policies", "zebra": "", "Rules": "rules"} {
		if got := nearWord(word, known); got != want {
			t.Errorf("nearWord(%q) = %q, want %q", word, got, want)
		}
	}
}
