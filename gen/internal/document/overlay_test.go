package document

import (
	"fmt"
	"strings"
	"testing"
)

// In the base two paths share a path item.
const overlayBase = head + `x-list: [one, {two: 2}]
x-resilience: {retry: {when: [503]}, owner: me}
paths:
  /a:
    get: {operationId: getA, tags: [x], x-resilience: {timeout: {attempt: 1s}}}
    post: {operationId: postA}
  /b:
    $ref: '#/paths/~1a'
`

func overlaid(t *testing.T, overlay string) (*Doc, []string) {
	t.Helper()
	doc, ds := loadFiles(t, files{"api.yaml": overlayBase, "o.yaml": overlay}, "o.yaml")
	var found []string
	for _, d := range ds {
		if d.Code != "shared-operation-id" {
			found = append(found, d.String())
		}
	}
	return doc, found
}

func TestOverlayPositions(t *testing.T) {
	doc, found := overlaid(t, `overlay: 1.1.0
info: {title: o, version: '1'}
actions:
  - target: $.paths['/a'].get
    update:
      operationId: renamed
      tags: [y, z]
      x-resilience:
        timeout: {total: 3s}
  - target: $['x-list']
    update: {three: 3}
  - target: $['x-list'][0]
    update: uno
  - target: $.paths['/a'].post
    remove: true
  - target: $.paths['/a']
    copy: $.paths['/a'].get
`)
	if len(found) > 0 {
		t.Fatalf("diagnostics: %s", strings.Join(found, "\n"))
	}
	for path, want := range map[string]string{
		"paths /a get operationId":                  "o.yaml:6:20",
		"paths /a get tags 0":                       "api.yaml:7:37",
		"paths /a get tags 1":                       "o.yaml:7:14",
		"paths /a get tags 2":                       "o.yaml:7:17",
		"paths /a get x-resilience":                 "api.yaml:7:55",
		"paths /a get x-resilience timeout attempt": "api.yaml:7:75",
		"paths /a get x-resilience timeout total":   "o.yaml:9:26",
		"x-list 0":                              "o.yaml:13:13",
		"x-list 1 two":                          "api.yaml:3:21",
		"x-list 2 three":                        "o.yaml:11:21",
		"paths /a operationId":                  "o.yaml:6:20",
		"paths /a x-resilience timeout attempt": "api.yaml:7:75",
		"paths /b get tags 1":                   "o.yaml:7:14",
	} {
		wantPos(t, doc.Root, path, want)
	}
	for key := range doc.Root.At("paths", "/a", "get").Members() {
		if key.Text() == "operationId" && key.Pos().String() != "o.yaml:6:7" {
			t.Errorf("the key of a replaced value is at %s, want o.yaml:6:7", key.Pos())
		}
	}
	wantTree(t, doc.Root, "paths /a post", "-")
	if !doc.FromOverlay(doc.Root.At("paths", "/a", "get", "operationId").Pos()) || doc.FromOverlay(doc.Root.Pos()) {
		t.Error("FromOverlay does not tell the overlay's leaves from the others")
	}
	if got := fmt.Sprint(doc.Files, doc.Overlays); got != "[api.yaml o.yaml] [o.yaml]" {
		t.Errorf("files are %s", got)
	}
}

func TestOverlayIsStrict(t *testing.T) {
	tests := []struct{ name, overlay, want string }{
		{"no match", "$.paths['/a'].gett\nupdate: {}", `o.yaml:4:13: error: "$.paths['/a'].gett" matches nothing; want at least one value [overlay] | write "get" instead of "gett" | api.yaml:7:5`},
		{"no match behind a reference", "$.paths['/b'].get\nupdate: {}", `o.yaml:4:13: error: "$.paths['/b'].get" matches nothing; want at least one value [overlay] | the path ends at $ref "#/paths/~1a": name what it leads to | api.yaml:10:11`},
		{"no match of a filter", "$.paths.*[?@.operationId=='nope']\nupdate: {}", `o.yaml:4:13: error: "$.paths.*[?@.operationId=='nope']" matches nothing; want at least one value [overlay] | the path ends at $ref "#/paths/~1a": name what it leads to | api.yaml:10:11`},
		{"dash in a path", "$.x-resilience\nupdate: {}", `o.yaml:4:16: error: target "$.x-resilience" is no JSONPath: invalid number literal [overlay] | write ['x-resilience'] instead of .x-resilience`},
		{"old regular expression", "$.paths[?@.a =~ 'x']\nupdate: {}", `o.yaml:4:26: error: target "$.paths[?@.a =~ 'x']" is no JSONPath: invalid comparison operator [overlay] | write match(@.name, 'pattern') instead of =~`},
		{"path without $", "'paths'\nupdate: {}", `o.yaml:4:14: error: target "paths" is no JSONPath: unexpected identifier [overlay] | begin with $, the root of the document`},
		{"target is no text", "5\nupdate: {}", `o.yaml:4:13: error: target is 5; want a JSONPath [overlay] | write a path that begins with $`},
		{"nothing to do", "$.paths\ndescription: x", `o.yaml:4:5: error: the action does nothing; want update, copy or remove: true [overlay] | say what to do with the target`},
		{"remove: false alone", "$.paths\nremove: false", `o.yaml:4:5: error: the action does nothing; want update, copy or remove: true [overlay] | say what to do with the target`},
		{"remove is text", "$.paths\nremove: 'true'\nupdate: {}", `o.yaml:5:13: error: remove is "true"; want true or false [overlay] | write remove: true`},
		{"two modifiers", "$.paths\nremove: true\nupdate: {}", `o.yaml:4:5: error: the action has update and remove; want one of them [overlay] | make two actions of it`},
		{"remove the root", "$\nremove: true", `o.yaml:4:13: error: the action removes the whole document; want a part of it [overlay] | name what to remove`},
		{"unknown field", "$.paths\nupdates: {}\nupdate: {}", `o.yaml:5:5: error: an action has no field "updates"; want one of target, description, update, remove, copy [overlay] | write update`},
		{"text over a map", "$.paths['/a']\nupdate: {get: text}", `o.yaml:5:19: error: the update of "get" is text; want a map, as in the document [overlay] | remove the old value by an action of its own first | api.yaml:7:10`},
		{"text on a map", "$.paths\nupdate: text", `o.yaml:5:13: error: the update is text; want a map, as in the document [overlay] | remove the old value by an action of its own first | api.yaml:6:3`},
		{"map on a text", "$.info.title\nupdate: {a: b}", `o.yaml:5:13: error: the update is a map; want text, as in the document [overlay] | remove the old value by an action of its own first | api.yaml:2:15`},
		{"a map over a list in the annotation", "$['x-resilience']\nupdate: {retry: {when: {503: false}}}", `o.yaml:5:28: error: the update of "when" is a map; want a list, as in the document [overlay] | remove the list when by an action of its own first, then write the whole set as a map | api.yaml:4:30`},
		{"mixed targets", "$['x-list'].*\nupdate: {}", `o.yaml:4:13: error: target "$['x-list'].*" matches text and a map; want values of one kind [overlay] | split it into an action for each | api.yaml:3:10 | api.yaml:3:15`},
		{"copy of several", "$.paths\ncopy: $.paths['/a'].*", `o.yaml:5:11: error: copy "$.paths['/a'].*" matches 2 values; want one [overlay] | name one value | api.yaml:7:10 | api.yaml:8:11`},
		{"copy of nothing", "$.paths\ncopy: $.nope", `o.yaml:5:11: error: "$.nope" matches nothing; want at least one value [overlay] | correct the path, or remove the action | api.yaml:1:1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			overlay := "overlay: 1.1.0\ninfo: {title: o, version: '1'}\nactions:\n  - target: " + strings.ReplaceAll(tt.overlay, "\n", "\n    ") + "\n"
			doc, ds := loadFiles(t, files{"api.yaml": overlayBase, "o.yaml": overlay}, "o.yaml")
			var got []string
			for _, d := range ds {
				line := d.String() + " | " + d.Hint
				for _, r := range d.Related {
					line += " | " + r.Pos.String()
				}
				got = append(got, line)
			}
			if text := strings.Join(got, "\n"); text != tt.want {
				t.Errorf("diagnostics\n got %s\nwant %s", text, tt.want)
			}
			if doc != nil {
				t.Error("a document was made though an action is bad")
			}
		})
	}
}

func TestOverlayFiles(t *testing.T) {
	const action = "\nactions: [{target: $, update: {x-a: 1}}]\n"
	tests := []struct{ name, overlay, want string }{
		{"1.0", "overlay: 1.0.0" + action, ""},
		{"copy in 1.0", "overlay: 1.0.0\nactions: [{target: $, copy: $.info}]\n", `o.yaml:2:23: error: an action has no field "copy"; want one of target, description, update, remove [overlay]`},
		{"no version", "actions: [{target: $, update: {x-a: 1}}]\n", "o.yaml:1:1: error: the file does not say which version of Overlay it follows; want overlay: 1.0.0 or 1.1.0 [overlay]"},
		{"version 2", "overlay: 2.0.0" + action, `o.yaml:1:10: error: overlay is "2.0.0"; want 1.0.0 or 1.1.0 [overlay]`},
		{"no actions", "overlay: 1.0.0\n", "o.yaml:1:1: error: actions is nothing; want a list of at least one action [overlay]"},
		{"empty actions", "overlay: 1.0.0\nactions: []\n", "o.yaml:2:10: error: actions is an empty list; want a list of at least one action [overlay]"},
		{"a list", "[]\n", "o.yaml:1:1: error: the overlay is a list; want a map [overlay]"},
		{"an action is text", "overlay: 1.0.0\nactions: [a]\n", "o.yaml:2:11: error: an action is text; want a map with target and update or remove [overlay]"},
		{"unknown field", "overlay: 1.0.0\nextend: x" + action, `o.yaml:2:1: error: an overlay has no field "extend"; want one of overlay, info, extends, actions [overlay]`},
		{"extends the entry", "overlay: 1.0.0\nextends: ./api.yaml" + action, ""},
		{"extends another", "overlay: 1.0.0\nextends: other.yaml" + action, `o.yaml:2:10: error: extends is "other.yaml", which is other.yaml; want api.yaml [overlay]`},
		{"extends a URL", "overlay: 1.0.0\nextends: https://x.invalid/api.yaml" + action, `o.yaml:2:10: info: extends is "https://x.invalid/api.yaml"; the overlay is applied to api.yaml [overlay]`},
		{"a duplicate key", "overlay: 1.0.0\noverlay: 1.0.0" + action, `o.yaml:2:1: error: "overlay" comes twice in one map; want it once [duplicate-key]`},
		{"bad syntax", "overlay: [", "o.yaml:1:11: error: not YAML: while parsing a flow node: did not find expected node content [syntax]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, found := overlaid(t, tt.overlay)
			if got := strings.Join(found, "\n"); got != tt.want {
				t.Errorf("diagnostics\n got %s\nwant %s", got, tt.want)
			}
			if bad := strings.Contains(tt.want, ": error: "); (doc == nil) != bad {
				t.Errorf("document made: %t, errors: %t", doc != nil, bad)
			}
		})
	}
}

func TestOverlayAcrossFiles(t *testing.T) {
	f := files{
		"api.yaml":  head + "paths:\n  /a: {$ref: item.yaml}\n  /b: {$ref: item.yaml}\n",
		"item.yaml": "get: {operationId: shared, responses: {'200': {description: ok}}}\n",
		"o.yaml":    "overlay: 1.0.0\ninfo: {title: o, version: '1'}\nactions:\n  - target: $.paths['/a'].get\n    update: {operationId: onlyA, responses: {'200': {content: {text/plain: {schema: {$ref: 'text.yaml'}}}}}}\n",
		"text.yaml": "type: string\n",
	}
	doc, ds := loadFiles(t, f, "o.yaml")
	wantLines(t, ds)
	wantTree(t, doc.Root, "paths /b", `{get: {operationId: "shared", responses: {200: {description: "ok"}}}}`)
	wantTree(t, doc.Root, "paths /a get operationId", `"onlyA"`)
	wantTree(t, doc.Root, "paths /a get responses 200 content text/plain schema", `{$ref: "#/components/schemas/text"}`)
	wantPos(t, doc.Root, "paths /a get operationId", "o.yaml:5:27")
	wantPos(t, doc.Root, "paths /b get operationId", "item.yaml:1:20")
	wantPos(t, doc.Root, "components schemas text type", "text.yaml:1:7")
}

func TestSeveralOverlays(t *testing.T) {
	doc, ds := loadFiles(t, files{
		"api.yaml": head + "paths: {}\n",
		"1.yaml":   "overlay: 1.0.0\nactions: [{target: $.info, update: {title: first, x-new: {a: 1}}}]\n",
		"2.json":   "{\"overlay\": \"1.0.0\",\n\t\"actions\": [{\"target\": \"$.info['x-new']\", \"update\": {\"a\": 2}}]}\n",
	}, "1.yaml", "2.json")
	wantLines(t, ds)
	wantPos(t, doc.Root, "info title", "1.yaml:2:44")
	wantPos(t, doc.Root, "info x-new a", "2.json:2:60")
	if got := fmt.Sprint(doc.Overlays); got != "[1.yaml 2.json]" {
		t.Errorf("overlays are %s", got)
	}
}
