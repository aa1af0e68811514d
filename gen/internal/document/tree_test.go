package document

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A files value is a small tree of files: path to text.
type files map[string]string

func (f files) fs() fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range f {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// loadFiles loads the entry api.yaml, or api.json where there is one.
func loadFiles(tb testing.TB, f files, overlays ...string) (*Doc, diag.List) {
	tb.Helper()
	entry := "api.yaml"
	if _, ok := f["api.json"]; ok {
		entry = "api.json"
	}
	doc, ds, err := Load(entry, Options{FS: f.fs(), Overlays: overlays})
	if err != nil {
		tb.Fatalf("Load: %v", err)
	}
	return doc, ds
}

// lines is a list as text, one diagnostic a line, for comparison.
func lines(ds diag.List) string {
	var b strings.Builder
	for _, d := range ds {
		fmt.Fprintln(&b, d)
	}
	return b.String()
}

// print writes a tree in one line, in the manner of JSON but with bare keys.
func print(n Node) string {
	var parts []string
	switch n.Kind() {
	case Absent:
		return "-"
	case Map:
		for k, v := range n.Members() {
			parts = append(parts, k.Text()+": "+print(v))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case List:
		for v := range n.Items() {
			parts = append(parts, print(v))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Text:
		return fmt.Sprintf("%q", n.Text())
	}
	return n.Text()
}

// find follows names and list indexes, separated by spaces.
func find(root Node, path string) Node {
	n := root
	for _, key := range strings.Fields(path) {
		if n.Kind() != List {
			n = n.Get(key)
			continue
		}
		i := 0
		fmt.Sscan(key, &i)
		var at Node
		for item := range n.Items() {
			if i == 0 {
				at = item
			}
			i--
		}
		n = at
	}
	return n
}

// wantTree compares a part of the tree with what it should print as.
func wantTree(tb testing.TB, root Node, path, want string) {
	tb.Helper()
	if got := print(find(root, path)); got != want {
		tb.Errorf("%s\n got %s\nwant %s", path, got, want)
	}
}

// wantPos compares the position of a part of the tree.
func wantPos(tb testing.TB, root Node, path, want string) {
	tb.Helper()
	if got := find(root, path).Pos().String(); got != want {
		tb.Errorf("position of %s is %s, want %s", path, got, want)
	}
}

// wantLines compares the diagnostics with what was expected, line by line.
func wantLines(tb testing.TB, ds diag.List, want ...string) {
	tb.Helper()
	text := ""
	if len(want) > 0 {
		text = strings.Join(want, "\n") + "\n"
	}
	if got := lines(ds); got != text {
		tb.Errorf("diagnostics\n got:\n%swant:\n%s", got, text)
	}
}

const head = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"
