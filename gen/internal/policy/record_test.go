package policy_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// withoutPositions are the record's lines as a file can hold them.
func withoutPositions(r *policy.Record) *policy.Record {
	clear := func(lines []policy.Line) {
		for i := range lines {
			lines[i].Pos = diag.Pos{}
		}
	}
	for _, c := range r.Compartments {
		clear(c.Lines)
		clear(c.All)
	}
	for _, o := range r.Operations {
		clear(o.Lines)
	}
	return r
}

func TestRecordIsReadBack(t *testing.T) {
	shops := map[string]shop{
		"plain": {},
		"everything": {
			root: `{criticality: critical, owner: "team; of \"payments\"", because: root, retry: {because: "a; b # c: d", when: {5XX: true, 501: false}},
                  waive: [{rule: RG105, because: measured, until: 2027-06-30, owner: me}, {rule: RG105}], policies: {p: {timeout: {attempt: 77ms}}},
                  fallback: {kind: static, value: {a: [1, "x: #"]}, because: "\ttabs"}, breaker: {enabled: false, because: x}}`,
			path:     "{compartment: x, expect: {rate: 5/s}, waive: [{rule: RG106}]}",
			list:     "{use: p, because: of list, owner: me, until: 2027-01-01}",
			add:      "{idempotency: {rejects: [429, 5XX], because: r, owner: o}, criticality: enhancement}",
			put:      "{retry: {enabled: false, because: no}}",
			drop:     "{idempotency: {alreadyDone: [404], key: {in: body, pointer: '/a b/c', retention: 1h, statuses: {409: {in-flight: {at: '/e', is: ['a b', c]}}}}}}",
			files:    []string{"timeout: {idle: 12s}\n"},
			overlays: []string{overlay("$.paths['/others'].post", "{x-resilience: {timeout: {attempt: 3s}}}")},
			settings: policy.Settings{Service: "checkout", Budget: 4e9},
		},
	}
	for name, s := range shops {
		t.Run(name, func(t *testing.T) {
			r := s.clean(t).Record()
			text := r.Text()
			back, ds := policy.ReadRecord("policy.gen.yaml", text)
			if len(ds) > 0 {
				t.Fatalf("%v in\n%s", ds, text)
			}
			if want := withoutPositions(r); !reflect.DeepEqual(normal(back), normal(want)) {
				t.Errorf("got\n%s\nwant\n%s", back.Text(), text)
			}
			if !bytes.Equal(back.Text(), text) {
				t.Errorf("written again:\n%s\nwant\n%s", back.Text(), text)
			}
		})
	}
}

// normal makes empty lists nil.
func normal(r *policy.Record) *policy.Record {
	lines := func(ls []policy.Line) []policy.Line {
		if len(ls) == 0 {
			return nil
		}
		return ls
	}
	for _, c := range r.Compartments {
		c.Lines, c.All = lines(c.Lines), lines(c.All)
	}
	for _, o := range r.Operations {
		o.Lines = lines(o.Lines)
	}
	return r
}

// Whatever texts a record holds, it is read back as it was.
func TestRecordOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zA-Z0-9 "';:#,\\/{}\[\]!%&*\t\n-]{1,20}|via|default|all`)
		layer := rapid.SampledFrom([]string{"default", "derived", "file", "document", "policy", "path", "operation", "inferred"})
		origin := rapid.Custom(func(t *rapid.T) policy.LineOrigin {
			o := policy.LineOrigin{Layer: layer.Draw(t, "layer")}
			if rapid.Bool().Draw(t, "named") {
				o.Name = text.Draw(t, "name")
			}
			if rapid.Bool().Draw(t, "via") {
				o.Via = text.Draw(t, "via")
			}
			return o
		})
		line := rapid.Custom(func(t *rapid.T) policy.Line {
			l := policy.Line{Key: "waive " + text.Draw(t, "key"), Value: text.Draw(t, "value"), Origins: rapid.SliceOfN(origin, 1, 3).Draw(t, "origins")}
			if rapid.Bool().Draw(t, "reason") {
				l.Because, l.Owner, l.Until = text.Draw(t, "because"), text.Draw(t, "owner"), "2027-06-30"
			}
			if rapid.Bool().Draw(t, "offered") {
				l.Offered = []policy.Refusal{{Value: text.Draw(t, "refused"), Origin: origin.Draw(t, "by")}}
			}
			return l
		})
		id := text.Draw(t, "id")
		r := &policy.Record{
			Version: 1, Spec: "api.yaml", Service: text.Draw(t, "service"),
			Compartments: []*policy.RecordCompartment{{ID: id, Lines: rapid.SliceOfN(line, 0, 2).Draw(t, "lines"), All: rapid.SliceOfN(line, 0, 2).Draw(t, "all")}},
			Operations:   []*policy.RecordOperation{{Method: "GET", Path: "/a/{b c}", ID: "op" + text.Draw(t, "operation"), Compartment: id, Lines: rapid.SliceOfN(line, 0, 2).Draw(t, "own")}},
		}
		back, ds := policy.ReadRecord("f", r.Text())
		if len(ds) > 0 || !reflect.DeepEqual(normal(back), normal(r)) {
			t.Fatalf("%v\ngot  %+v\nwant %+v\nin\n%s", ds, back, r, r.Text())
		}
	})
}

func TestRecordMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "f:1:1: the file has no version; want a policy file that resgen wrote",
		"openapi: 3.0.0\n":                  `f:1:1: "openapi" is no key of a policy file; want version, service, budget, compartments or operations`,
		"version: 2\n":                      `f:1:1: version is "2"; want 1 to 1`,
		"version: 1\noperations:\n  GET:\n": `f:3:3: the operation is "GET"; want a method and a path`,
		"version: 1\noperations:\n  GET /a:\n    class: safe # by me\n": `f:4:5: the comment is "by me"; want where the value came from`,
		"version: 1\noperations:\n  GET /a:\n    class\n":               `f:4:5: the line is "class"; want a key and a value`,
		"version: 1\noperations:\n   GET /a:\n":                         "f:3:4: the line is indented by 3; want a line of a policy file",
		"version: 1\n\xff":                                              "f:1:1: the file is no UTF-8 text",
	} {
		_, ds := policy.ReadRecord("f", []byte(text))
		wantMistakes(t, ds, want)
	}
}

func TestRecordShowsOnlyWhatDiffers(t *testing.T) {
	r := shop{root: "{timeout: {attempt: 700ms}}", list: "{timeout: {attempt: 600ms}}"}.clean(t).Record()
	if len(r.Compartments) != 1 || len(r.Operations) != 5 {
		t.Fatalf("%d compartments, %d operations", len(r.Compartments), len(r.Operations))
	}
	var order []string
	for _, o := range r.Operations {
		order = append(order, o.Method+" "+o.Path)
	}
	if got, want := strings.Join(order, ", "), "POST /others, DELETE /things, GET /things, POST /things, PUT /things"; got != want {
		t.Errorf("order = %s, want %s", got, want)
	}
	list := r.Operations[2]
	text := string(r.Text())
	if !strings.Contains(text, "      timeout.attempt: 700ms                 # document\n") || !strings.Contains(text, "    timeout.attempt: 600ms                   # operation\n") {
		t.Errorf("the record is\n%s", text)
	}
	effective := map[string]string{}
	for _, l := range r.Effective(list) {
		effective[l.Key] = l.Value
	}
	if effective["timeout.attempt"] != "600ms" || effective["timeout.total"] != "15s" || effective["class"] != "safe" || effective["breaker.window"] != "" {
		t.Errorf("effective = %v", effective)
	}
	if r.Compartment("nothing") != nil || r.Compartment(list.Compartment) != r.Compartments[0] {
		t.Error("Compartment finds another one")
	}
}

// A shared leaf that an operation does not have is an empty line of its own.
func TestRecordOfALeafThatIsMissing(t *testing.T) {
	r := shop{root: "{deadline: {header: X-Left}}", list: "{deadline: {enabled: false}}"}.clean(t).Record()
	for _, l := range r.Effective(r.Operations[2]) {
		if l.Key == "deadline.header" {
			t.Errorf("list still has %s %q", l.Key, l.Value)
		}
	}
	if !strings.Contains(string(r.Text()), "    deadline.header: \"\"\n") {
		t.Errorf("the record is\n%s", r.Text())
	}
}

func FuzzReadRecord(f *testing.F) {
	f.Add([]byte("version: 1\ncompartments:\n  a:\n    all:\n      retry.when: 503 # default, policy \"a b\" via c; because: \"x\"\noperations:\n  GET /a b:\n    class: safe   # default\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, ds := policy.ReadRecord("f", text)
		if len(ds) > 0 {
			return
		}
		back, ds := policy.ReadRecord("f", r.Text())
		if len(ds) > 0 || !bytes.Equal(back.Text(), r.Text()) {
			t.Errorf("%v\n%s\nbecomes\n%s", ds, r.Text(), back.Text())
		}
	})
}
