package document

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

func TestScannerPositions(t *testing.T) {
	const text = "{\r\n\t\"a\": [1, -2.5e3, true, null],\r\"é🙂\": {\"\\ud83d\\ude00\": \"\\u00e9\\n\\/\"}, \"c\":\"\"}\n"
	root, _, failed := scanJSON("x.json", []byte(text), foreign, &diag.List{})
	if failed != nil {
		t.Fatal(failed)
	}
	n := Node{root}
	wantTree(t, n, "", "{a: [1, -2.5e3, true, null], é🙂: {😀: \"é\\n/\"}, c: \"\"}")
	for path, want := range map[string]string{
		"":     "x.json:1:1",
		"a":    "x.json:2:7",
		"a 1":  "x.json:2:11",
		"a 3":  "x.json:2:25",
		"é🙂":   "x.json:3:7",
		"é🙂 😀": "x.json:3:24",
		"c":    "x.json:3:43",
	} {
		wantPos(t, n, path, want)
	}
}

func TestScannerRefuses(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "1:1: the end of the file; want a value"},
		{"{", "1:2: the end of the file; want a member's name in double quotes"},
		{"{a: 1}", "1:2: 'a'; want a member's name in double quotes"},
		{`{"a" 1}`, "1:6: '1'; want ':' after the name of a member"},
		{`{"a": 1,}`, "1:9: '}'; want a member's name in double quotes"},
		{"[1\n 2]", "2:2: '2'; want ',' or ']'"},
		{"[1,]", "1:4: ']'; want a value"},
		{`{"a":1 "b":2}`, "1:8: '\"'; want ',' or '}'"},
		{"[01]", "1:3: '1'; want ',' or ']'"},
		{"[-]", "1:3: ']'; want a digit"},
		{"[1.]", "1:4: ']'; want a digit after the point"},
		{"[1e]", "1:4: ']'; want a digit in the exponent"},
		{"[+1]", "1:2: '+'; want a value"},
		{"[tru]", "1:2: 't'; want a value"},
		{`["a`, `1:4: the end of the file inside text; want '"'`},
		{"[\"a\tb\"]", `1:4: the control character 0x09 inside text; want an escape such as \n`},
		{`["\x"]`, `1:4: 'x' after a backslash; want one of " \ / b f n r t u`},
		{`["\u12g4"]`, `1:5: '1'; want four hexadecimal digits after \u`},
		{"{} {}", "1:4: '{' after the end of the value; want the end of the file"},
		{strings.Repeat("[", 201), "1:201: more than 200 levels of nesting; want at most 200"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			_, _, failed := scanJSON("x", []byte(tt.text), foreign, &diag.List{})
			if failed == nil {
				t.Fatal("accepted")
			}
			place, message, _ := strings.Cut(tt.want, ": ")
			if got := failed.Pos.String(); got != "x:"+place {
				t.Errorf("position is %s, want x:%s", got, place)
			}
			if got := strings.TrimPrefix(failed.Message, "not JSON: "); got != message {
				t.Errorf("message is %q, want %q", got, message)
			}
		})
	}
}

func TestScannerReadsHalfASurrogatePair(t *testing.T) {
	for _, text := range []string{`"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ude00"`} {
		root, _, failed := scanJSON("x", []byte(text), foreign, &diag.List{})
		var want string
		if err := json.Unmarshal([]byte(text), &want); err != nil || failed != nil {
			t.Fatal(text, err, failed)
		}
		if root.Value != want {
			t.Errorf("%s is %q, want %q as in encoding/json", text, root.Value, want)
		}
	}
}

// The scanner and yaml/v4 must agree on every node of every JSON file, so that
// nothing behind them can tell which of the two read it.
func TestScannerAgreesWithYAML(t *testing.T) {
	entries, err := filepath.Glob(filepath.Join(specsFolder(t), "*.json"))
	if err != nil || len(entries) == 0 {
		t.Fatalf("no JSON in the specs: %v", err)
	}
	for _, file := range entries {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if strings.HasPrefix(filepath.Base(file), "github") || filepath.Base(file) == "square.json" {
				return // yaml/v4 needs seconds and hundreds of megabytes for these
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var ds diag.List
			ours := &source{name: "x"}
			ours.parseJSON(data, foreign, &ds)
			theirs := &source{name: "x"}
			theirs.parseYAML(data, foreign, &ds)
			if ours.root == nil || theirs.root == nil {
				if filepath.Base(file) == "twilio-api.json" && ours.root != nil {
					return // surrogate pairs, which yaml/v4 does not know
				}
				t.Fatalf("not read:\n%s", lines(ds))
			}
			compareNodes(t, ours.root, theirs.root)
		})
	}
}

func compareNodes(t *testing.T, a, b *yaml.Node) {
	t.Helper()
	if a.Kind != b.Kind || a.Tag != b.Tag || a.Value != b.Value || a.Line != b.Line || a.Column != b.Column || len(a.Content) != len(b.Content) {
		t.Fatalf("nodes differ: %s %q at %s, and %s %q at %s", a.Tag, a.Value, pos(a), b.Tag, b.Value, pos(b))
	}
	for i := range a.Content {
		compareNodes(t, a.Content[i], b.Content[i])
	}
}

// FuzzScanner holds the scanner to encoding/json: what one accepts the other
// accepts too, with the same values.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e3,true,null,"\u00e9\ud83d\ude00"]}`, "[01]", `{"a":1,"a":2}`, "\"\x7f\"", "[1e400]", " [ ] ", "nul", `"\u12"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !utf8.Valid(data) || len(data) > 1<<16 {
			return
		}
		root, _, failed := scanJSON("x", data, foreign, &diag.List{})
		if failed != nil {
			if strings.Contains(failed.Message, "levels of nesting") {
				return
			}
			if json.Valid(data) {
				t.Fatalf("%q refused: %s", data, failed)
			}
			checkInside(t, *failed, data)
			return
		}
		decoder := json.NewDecoder(strings.NewReader(string(data)))
		decoder.UseNumber()
		var want any
		if err := decoder.Decode(&want); err != nil {
			t.Fatalf("%q accepted, but encoding/json says %v", data, err)
		}
		if got, want := encode(t, plain(root)), encode(t, held(want)); got != want {
			t.Fatalf("%q is %s, want %s", data, got, want)
		}
	})
}

// held is a value with numbers beyond every float64 as text, as the scanner
// reads them.
func held(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = held(member)
		}
	case []any:
		for i, item := range v {
			v[i] = held(item)
		}
	case json.Number:
		if !finite(string(v)) {
			return string(v)
		}
	}
	return v
}

func encode(t *testing.T, v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func plain(n *yaml.Node) any { return newFinder(n).value(n) }

// checkInside fails where a diagnostic points out of the file.
func checkInside(t *testing.T, d diag.Diagnostic, data []byte) {
	t.Helper()
	text := string(data)
	if utf8.ValidString(text) {
		text = strings.TrimPrefix(text, "\ufeff")
	}
	rows := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text), "\n")
	if d.Pos.Line < 1 || d.Pos.Line > len(rows) || d.Pos.Col < 1 || d.Pos.Col > utf8.RuneCountInString(rows[d.Pos.Line-1])+1 {
		t.Fatalf("%s points out of the file, which has %d lines:\n%s", d, len(rows), strconv.Quote(text))
	}
}
