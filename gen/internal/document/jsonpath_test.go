package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/theory/jsonpath"
	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

const pathTree = `{"a": {"b": [1, {"c": 2, "d": null}, [3, 4.0, "5"]], "b c": true, "c": {"c": {"c": 9007199254740993}}},
"list": [{"k": 1, "n": "x"}, {"k": 2, "n": "xy"}, {"k": 1.0}, {"k": "1"}, {"n": "é"}, [], {}], "1": {"": "empty"}, "e'\"": [200, 200.0, 2e2]}`

// locations maps each value of a tree to its normalized path.
func locations(n *yaml.Node, path string, out map[*yaml.Node]string) {
	out[n] = path
	for i, child := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			locations(child, fmt.Sprintf("%s[%d]", path, i), out)
		case i%2 == 1:
			key := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(n.Content[i-1].Value)
			locations(child, path+"['"+key+"']", out)
		}
	}
}

// The walk over nodes must select what theory/jsonpath selects on plain
// values; only order and repeats are our own.
func TestPathsSelectAsInRFC9535(t *testing.T) {
	paths := []string{
		"$", "$.a", "$['a','list']", "$.a.*", "$.*", "$..*", "$..c", "$..['c','d']", "$.a.b[0]", "$.a.b[-1]", "$.a.b[3]", "$.a.b[-4]", "$.list[1:3]", "$.list[::2]", "$.list[::-1]", "$.list[5:1:-2]",
		"$.list[-2:]", "$.list[:-5]", "$.list[1:1]", "$.list[::0]", "$.list[0,0,-1]", "$.a['b c']", "$['1']['']", "$[\"e'\\\"\"][0]", "$.nope", "$.a.b.c", "$.list.k", "$..[0]", "$..[-1:]",
		"$.list[?@.k==1]", "$.list[?@.k!=1]", "$.list[?@.k<2]", "$.list[?@.k]", "$.list[?!@.k]", "$.list[?@.k=='1' || @.n=='xy']", "$.list[?match(@.n, 'x.*')]", "$.list[?search(@.n, 'y')]", "$.list[?length(@.n)==1]",
		"$.list[?count(@.*)==2]", "$..[?@.c]", "$..[?@.c==2]", "$[?@.b]", "$.list[?@.k==$.list[0].k]", "$.list[?@==$.nope]", "$.list[?@.k==null]", "$.a.b[?@==null]", "$.a.b[1][?@==null]", "$[?@[?@.k==2]]",
		"$['e\\'\"'][?@==200]", "$..[?@==9007199254740993]", "$.a..c..c", "$..b..*",
	}
	var ds diag.List
	src := parse("t", []byte(pathTree), ours, &ds)
	if src.root == nil {
		t.Fatal(lines(ds))
	}
	where := map[*yaml.Node]string{}
	locations(src.root, "$", where)
	value := newFinder(src.root).value(src.root)
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			query, wrong := parsePath(path)
			if wrong != nil {
				t.Fatal(wrong.message)
			}
			found, _ := newFinder(src.root).find(query)
			var got, want []string
			for _, m := range found {
				got = append(got, where[m.node])
			}
			for _, n := range jsonpath.MustParse(path).SelectLocated(value) {
				want = append(want, n.Path.String())
			}
			if len(got) != len(slices.Compact(slices.Sorted(slices.Values(got)))) {
				t.Errorf("a value comes twice in %v", got)
			}
			slices.Sort(got)
			slices.Sort(want)
			want = slices.Compact(want)
			if !slices.Equal(got, want) {
				t.Errorf("got %v\nwant %v", got, want)
			}
		})
	}
}

func TestPathsThatAreNone(t *testing.T) {
	tests := []struct {
		path   string
		offset int
		hint   string
	}{
		{"", -1, "begin with $, the root of the document"},
		{"a.b", 0, "begin with $, the root of the document"},
		{"$.", 2, "write a JSONPath as in RFC 9535, such as $.paths['/x'].get"},
		{"$.paths./x", 8, "put names that hold / in brackets and quotes: $.paths['/x']"},
		{"$.responses.200", 12, "write ['200'] instead of .200"},
		{"$.x-a", 3, "write ['x-a'] instead of .x-a"},
		{"$.a[", 4, "write a JSONPath as in RFC 9535, such as $.paths['/x'].get"},
		{"$.a[?@.b=~'x']", 8, "write match(@.name, 'pattern') instead of =~"},
		{"$.a~", 3, "RFC 9535 has no ~: select the values, not their names"},
		{"$" + strings.Repeat(".a", 6000), -1, "write a JSONPath as in RFC 9535, such as $.paths['/x'].get"},
	}
	for _, tt := range tests {
		_, wrong := parsePath(tt.path)
		if wrong == nil {
			t.Errorf("%.20q is accepted", tt.path)
			continue
		}
		if wrong.offset != tt.offset {
			t.Errorf("%.20q: offset is %d, want %d (%s)", tt.path, wrong.offset, tt.offset, wrong.message)
		}
		if got := hintForPath(tt.path); got != tt.hint {
			t.Errorf("%.20q: hint is %q, want %q", tt.path, got, tt.hint)
		}
	}
}

// FuzzPath holds the parser and the walk to never failing in another way than
// by an error.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"$..a[?@.b==1]", "$['a'][1:2:-1]", "$.a[?match(@.b, '[')]", "$[?((((@.a))))]", "$[9999999999999999999]", "$[::-9223372036854775808]", "$[?@['a']==$..*]"} {
		f.Add(seed)
	}
	var ds diag.List
	src := parse("t", []byte(pathTree), ours, &ds)
	f.Fuzz(func(t *testing.T, path string) {
		if len(path) > 1000 {
			return
		}
		query, wrong := parsePath(path)
		if wrong != nil {
			if wrong.message == "" || wrong.offset > len(path) {
				t.Fatalf("%q: %+v", path, wrong)
			}
			return
		}
		newFinder(src.root).find(query)
	})
}
