package policy_test

import (
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

func TestMethodsProve(t *testing.T) {
	p := shop{}.clean(t)
	for id, want := range map[string]policy.Class{"list": policy.Safe, "put": policy.Idempotent, "drop": policy.Idempotent, "add": policy.Unsafe} {
		if o := operation(t, p, id); o.Class != want || o.Proven != want || o.ClassOrigin.Layer != policy.LayerDefault {
			t.Errorf("%s is %s by %s, want %s by default", id, o.Class, o.ClassOrigin, want)
		}
	}
}

func TestClassCanBeLowered(t *testing.T) {
	p := shop{list: "{idempotency: {class: unsafe}}", put: "{idempotency: {class: unsafe}}"}.clean(t)
	for _, id := range []string{"list", "put"} {
		o := operation(t, p, id)
		wantLeaves(t, o, "retry.maxAttempts: 1 # derived")
		if o.Class != policy.Unsafe {
			t.Errorf("%s is %s", id, o.Class)
		}
	}
}

// Reasons belong to the place and section where they stand.
func TestReasonsAreNotInherited(t *testing.T) {
	p := shop{
		root: "{because: of the root, owner: root, policies: {p: {idempotency: {because: of the policy, owner: policy}}, q: {idempotency: {class: safe, because: of q, owner: q}}}}",
		add:  "{because: beside, owner: beside, use: p, idempotency: {class: safe}}",
		put:  "{use: q}",
	}.clean(t)
	if r := operation(t, p, "add").ClassReason; r.Because != "" || r.Owner != "" {
		t.Errorf("add's reason = %+v, want none", r)
	}
	if r := operation(t, p, "put").ClassReason; r.Because != "of q" || !r.Stated() {
		t.Errorf("put's reason = %+v, want that of q", r)
	}
	if o := operation(t, p, "other"); o.Owner != "root" {
		t.Errorf("other's owner = %q, want that of the document", o.Owner)
	}
	if o := operation(t, p, "add"); o.Owner != "beside" {
		t.Errorf("add's owner = %q", o.Owner)
	}
}

// The nearest section around a leaf gives it its reason.
func TestReasonOfSection(t *testing.T) {
	p := shop{root: "{retry: {because: outer, maxAttempts: 2, backoff: {max: 1s}, budget: {because: inner, ratio: 5%}}}"}.clean(t)
	o := operation(t, p, "list")
	for leaf, want := range map[policy.Leaf]string{
		policy.RetryMaxAttempts: "outer", policy.RetryBackoffMax: "outer", policy.RetryBudgetRatio: "inner", policy.RetryWhen: "",
	} {
		if got := o.Value(leaf).Reason.Because; got != want {
			t.Errorf("%s because %q, want %q", leaf, got, want)
		}
	}
}

func TestKnownKeyHeaders(t *testing.T) {
	for _, name := range []string{"Idempotency-Key", "idempotency-key", "IDEMPOTENCY-KEY", "X-Idempotency-Key", "PayPal-Request-Id", "Repeatability-Request-ID", "opc-retry-token"} {
		o := operation(t, shop{params: "[{name: " + name + ", in: header, schema: {type: string}}]"}.clean(t), "add")
		if o.Class != policy.Keyed || o.ClassOrigin.Layer != policy.LayerInferred || o.ClassOrigin.String() != "inferred" {
			t.Errorf("%s makes it %s by %s", name, o.Class, o.ClassOrigin)
			continue
		}
		if o.Key.Name != name || o.Key.In != policy.KeyInHeader || len(o.Key.Params) != 1 {
			t.Errorf("%s: key %+v", name, o.Key)
		}
		wantLeaves(t, o, "retry.maxAttempts: 3 # default")
	}
}

func TestHeadersThatAreNoKey(t *testing.T) {
	for name, params := range map[string]string{
		"correlation id":        "[{name: X-Request-Id, in: header, schema: {type: string}}]",
		"correlation id of ms":  "[{name: x-ms-client-request-id, in: header, schema: {type: string}}]",
		"a query parameter":     "[{name: Idempotency-Key, in: query, schema: {type: string}}]",
		"a number":              "[{name: Idempotency-Key, in: header, schema: {type: integer}}]",
		"one of a list":         "[{name: Idempotency-Key, in: header, schema: {type: string, enum: [a, b]}}]",
		"another name":          "[{name: Key, in: header, schema: {type: string}}]",
		"a property, by itself": "[]",
	} {
		if o := operation(t, shop{params: params}.clean(t), "add"); o.Key != nil || o.Class != policy.Unsafe {
			t.Errorf("%s: key %v, class %s", name, o.Key, o.Class)
		}
	}
}

func TestOneKeyInTwoSpellings(t *testing.T) {
	forty, more := 40, 64
	op := &model.Operation{ID: "add", Method: "POST", Path: "/things", Params: []*model.Param{
		{Wire: "Idempotency-Key", In: model.InHeader, Type: &model.Type{Kind: model.String, Limits: model.Limits{MaxLength: &more}}},
		{Wire: "X-Idempotency-Key", In: model.InHeader, Type: &model.Type{Kind: model.String}, Pos: diag.Pos{File: "f", Line: 1}},
		{Wire: "idempotency-key", In: model.InHeader, Required: true, Type: &model.Type{Kind: model.String, Limits: model.Limits{MaxLength: &forty}}, Pos: diag.Pos{File: "f", Line: 2}},
	}}
	p, _ := policy.Resolve(&document.Doc{}, &model.API{Operations: []*model.Operation{op}}, policy.Settings{})
	k := p.Operations[0].Key
	if k == nil || len(k.Params) != 2 || k.Params[1] != op.Params[2] || k.Name != "Idempotency-Key" || k.MaxLength != 40 || !k.Required {
		t.Errorf("key = %+v", k)
	}
}

// On a safe method a declared key is an ordinary parameter; an idempotent one
// sends it.
func TestDeclaredKeyByMethod(t *testing.T) {
	spec := strings.ReplaceAll(shop{}.yaml(), "  /things:\n", "  /things:\n    parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]\n")
	p, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	for id, want := range map[string]policy.Class{"list": policy.Safe, "put": policy.Idempotent, "drop": policy.Idempotent, "add": policy.Keyed} {
		o := operation(t, p, id)
		if o.Class != want || (o.Key != nil) != (id != "list") {
			t.Errorf("%s is %s with key %v", id, o.Class, o.Key != nil)
		}
	}
}

func TestStatedKeys(t *testing.T) {
	declared := "[{name: Dedup, in: header, schema: {type: string}}, {name: dedup, in: query, schema: {type: string}}]"
	cases := map[string]struct {
		shop  shop
		class policy.Class
		key   string
	}{
		"own key":                      {shop{add: "{idempotency: {key: {in: header, name: Dedup}}}"}, policy.Keyed, "header Dedup, auto, stores errors"},
		"own key with class":           {shop{add: "{idempotency: {class: keyed, key: {in: query, name: dedup, generate: caller, stores: success}}}"}, policy.Keyed, "query dedup, caller, stores success"},
		"own key in the body":          {shop{add: "{idempotency: {key: {in: body, pointer: /meta/key, maxLength: 45}}}"}, policy.Keyed, "body /meta/key, auto, stores errors, at most 45"},
		"own key, stated safe":         {shop{add: "{idempotency: {class: safe, because: a search, owner: me, key: {in: header, name: Dedup}}}"}, policy.Safe, ""},
		"own key, stated unsafe":       {shop{add: "{idempotency: {class: unsafe, key: {in: header, name: Dedup}}}"}, policy.Unsafe, "header Dedup, auto, stores errors"},
		"offered, not declared":        {shop{root: "{idempotency: {key: {in: header, name: Dedup}}}"}, policy.Unsafe, ""},
		"offered and declared":         {shop{root: "{idempotency: {key: {in: header, name: dedup}}}", params: declared}, policy.Keyed, "header dedup, auto, stores errors"},
		"offered, class keyed":         {shop{root: "{idempotency: {key: {in: header, name: Dedup}}}", add: "{idempotency: {class: keyed}}"}, policy.Keyed, "header Dedup, auto, stores errors"},
		"details around a declared":    {shop{root: "{idempotency: {key: {retention: 24h, stores: success}}}", params: "[{name: Idempotency-Key, in: header, schema: {type: string}}]"}, policy.Keyed, "header Idempotency-Key, auto, 24h, stores success"},
		"details alone":                {shop{root: "{idempotency: {key: {retention: 24h}}}"}, policy.Unsafe, ""},
		"switched off":                 {shop{add: "{idempotency: {key: {enabled: false, because: the provider ignores it}}}", params: "[{name: Idempotency-Key, in: header, schema: {type: string}}]"}, policy.Unsafe, ""},
		"by a policy that it uses":     {shop{root: "{policies: {p: {idempotency: {class: keyed, key: {in: header, name: Dedup}}}}}", add: "{use: p}"}, policy.Keyed, "header Dedup, auto, stores errors"},
		"place of a known header":      {shop{add: "{idempotency: {class: keyed, key: {in: header}}}", params: "[{name: Idempotency-Key, in: header, schema: {type: string}}]"}, policy.Keyed, "header Idempotency-Key, auto, stores errors"},
		"keyed with the spec's header": {shop{add: "{idempotency: {class: keyed}}", params: "[{name: Idempotency-Key, in: header, schema: {type: string}}]"}, policy.Keyed, "header Idempotency-Key, auto, stores errors"},
		"keyed without a key":          {shop{add: "{idempotency: {class: keyed}}"}, policy.Keyed, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := operation(t, c.shop.clean(t), "add")
			got := ""
			if o.Key != nil {
				got = o.Key.Text()
			}
			if o.Class != c.class || got != c.key {
				t.Errorf("%s with %q, want %s with %q", o.Class, got, c.class, c.key)
			}
		})
	}
}

// A key offered from around is for writes that know it, not for reads.
func TestOfferedKeyStaysOffReads(t *testing.T) {
	spec := strings.ReplaceAll(shop{root: "{idempotency: {key: {in: header, name: Dedup}}}"}.yaml(), "  /things:\n", "  /things:\n    parameters: [{name: Dedup, in: header, schema: {type: string}}]\n")
	p, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	if k := operation(t, p, "list").Key; k != nil {
		t.Errorf("list sends %s", k.Text())
	}
	if o := operation(t, p, "put"); o.Key == nil || o.Class != policy.Idempotent {
		t.Errorf("put is %s with key %v", o.Class, o.Key)
	}
}

func TestKeyReplacesBodyProperty(t *testing.T) {
	spec := strings.ReplaceAll(shop{add: "{idempotency: {key: {in: body, pointer: /meta/dedup_key}}}"}.yaml(), "      parameters: []\n",
		"      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {meta: {type: object, required: [dedup_key], properties: {dedup_key: {type: string, maxLength: 50}}}}}}}}\n")
	p, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	k := operation(t, p, "add").Key
	if k == nil || k.Field == nil || k.Field.Wire != "dedup_key" || len(k.Path) != 2 || k.Path[0].Wire != "meta" || k.MaxLength != 50 || !k.Required || !k.Declared() {
		t.Errorf("key = %+v", k)
	}
}

func TestStatusMeanings(t *testing.T) {
	p := shop{
		root: "{idempotency: {key: {statuses: {409: in-flight, 422: mismatch, 410: new-key}}}}",
		add:  "{idempotency: {key: {in: header, name: Dedup, statuses: {409: {in-flight: {at: /error/code, is: [key_in_use, 7]}, done: {at: /error/code, is: [done]}}, 422: false}}}}",
	}.clean(t)
	want := "409 in-flight at /error/code is key_in_use 7, 409 done at /error/code is done, 410 new-key"
	if got := operation(t, p, "add").Key.Leaves.Get(policy.KeyStatuses).Text; got != want {
		t.Errorf("statuses = %q, want %q", got, want)
	}
}

func TestKeyNames(t *testing.T) {
	for name, want := range map[string][3]bool{
		"idempotency-KEY": {true, false, true}, "X-Request-ID": {false, true, false}, "idempotency_key": {true, false, true},
		"idempotencyKey": {false, false, true}, "X-Correlation-Id": {false, true, false}, "Key": {},
	} {
		if got := [3]bool{policy.IsKeyHeader(name), policy.IsCorrelationHeader(name), policy.IsKeyProperty(name)}; got != want {
			t.Errorf("%s: header, correlation, property = %v, want %v", name, got, want)
		}
	}
}
