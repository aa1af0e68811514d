package golang

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

func TestDocLines(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"line breaks of every kind", "a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne"},
		{"empty lines are single", "a\n\n\n\nb\n\n", "a\n\nb"},
		{"control characters and direction marks go", "a\x00\x1b[31m\ufeff\u202eb", "a[31mb"},
		{"a heading is a line", "## Limits\n\ntext", "Limits\n\ntext"},
		{"fenced code is indented", "see\n```json\n{\"a\": 1}\n```\nend", "see\n\n\t{\"a\": 1}\n\nend"},
		{"only facts deprecate", "Deprecated: not really", "(Deprecated: not really)"},
		{"the next line of an item hangs", "one:\n- a\nb\n\n1. c\n  d\ne", "one:\n- a\n  b\n\n1. c\n  d\n  e"},
		{"break tags", "a<br>b<br/>c", "a\nb\nc"},
	}
	for _, tt := range tests {
		if got := strings.Join(docLines(tt.text), "\n"); got != tt.want {
			t.Errorf("%s: docLines(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestDocWraps(t *testing.T) {
	for _, line := range docLines("- " + strings.Repeat("word ", 100)) {
		if n := utf8.RuneCountInString(line); n > docWidth {
			t.Errorf("line has %d characters, want at most %d: %s", n, docWidth, line)
		}
	}
	long := strings.Repeat("x", 300)
	if got := docLines(long); len(got) != 1 || got[0] != long {
		t.Errorf("a word without spaces was broken: %q", got)
	}
}

func TestEndsInList(t *testing.T) {
	for text, want := range map[string]bool{"a": false, "a\n- b": true, "1. a\n2. b": true, "- a\n\nb": false, "a\n* b\n  c": true, "12 pears": false, "- a:\n```\nb\n```": false} {
		if got := endsInList(text); got != want {
			t.Errorf("endsInList(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestDocIsBounded(t *testing.T) {
	lines := docLines(strings.Repeat("é line\n", 1<<20))
	if got := len(strings.Join(lines, "\n")); got > docLimit+100 {
		t.Errorf("a megabyte became %d bytes of comment, want at most about %d", got, docLimit)
	}
	if got := lines[len(lines)-1]; got != docCut {
		t.Errorf("last line is %q, want %q", got, docCut)
	}
}

func TestSentence(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"CreateCharge", "Create a charge", "CreateCharge creates a charge."},
		{"CreateCharge", "Create a charge?", "CreateCharge creates a charge?"},
		{"Charge", "See https://charges.test/of/a", "Charge: See https://charges.test/of/a"},
		{"Charge", "A charge\nand more", "Charge is a charge\nand more"},
		{"Charge", "A charge made on a card.", "Charge is a charge made on a card."},
		{"Charge", "Represents a charge.", "Charge represents a charge."},
		{"Charge", "Charge of a card", "Charge of a card."},
		{"Charge", "Money moved", "Charge: Money moved."},
		{"Charge", "  ", ""},
		{"PutOrder", "Update or cancel an order", "PutOrder updates or cancels an order."},
		{"PutOrder", "Create and/or update or void an order.", "PutOrder creates and/or updates or voids an order."},
		{"PutOrder", "Cancel an order and refund it", "PutOrder: Cancel an order and refund it."},
		{"PutOrder", "Cancel an order, then refund it.", "PutOrder: Cancel an order, then refund it."},
		{"PutOrder", "Update or frobnicate an order", "PutOrder: Update or frobnicate an order."},
		{"PutOrder", "Cancel an order. Refund and void others.", "PutOrder cancels an order. Refund and void others."},
		{"PutOrder", "Cancel and", "PutOrder: Cancel and."},
		{"PutOrder", "Get an order and its lines", "PutOrder gets an order and its lines."},
	}
	for _, tt := range tests {
		if got := sentence(tt.name, tt.text); got != tt.want {
			t.Errorf("sentence(%q, %q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// FuzzDoc holds that no text ends its comment, becomes code or a directive, or
// shows other than what is there.
func FuzzDoc(f *testing.F) {
	for _, seed := range []string{
		"", "plain", "*/ func init() { panic(1) } /*", "//go:build ignore", "/* x", "\n\nfunc main() {}", "+build linux",
		"a\r//go:embed x\r", "\u2028var x int", "go:generate rm", "resgen:operation class=safe", "line x.go:1", "```\n*/\n```",
		"- a\n  - b\n\n1. c", "# H\n# H2", "[a]: http://x", "\tcode\n\tmore", "\xff\xfe", "Deprecated: x", "\ufeff\u202e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := jen.NewFile("x")
		doc(file, text)
		file.Type().Id("T").StructFunc(func(g *jen.Group) {
			doc(g, text)
			g.Id("F").Int()
		})
		var out bytes.Buffer
		if err := file.Render(&out); err != nil {
			t.Fatalf("doc(%q) does not parse: %v", text, err)
		}
		again, err := format.Source(out.Bytes())
		if err != nil || !bytes.Equal(again, out.Bytes()) {
			t.Errorf("doc(%q) is not stable under gofmt: %v\n%s\n%s", text, err, out.Bytes(), again)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), "x.go", out.Bytes(), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if len(parsed.Decls) != 1 {
			t.Errorf("doc(%q) made %d declarations, want 1:\n%s", text, len(parsed.Decls), out.Bytes())
		}
		checkComments(t, text, parsed)
	})
}

func checkComments(t *testing.T, text string, parsed *ast.File) {
	t.Helper()
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if c.Text != "//" && !strings.HasPrefix(c.Text, "// ") && !strings.HasPrefix(c.Text, "//\t") {
				t.Errorf("doc(%q) made the line %q, want it to begin with %q", text, c.Text, "// ")
			}
			for _, r := range c.Text {
				if r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
					t.Errorf("doc(%q) kept %U", text, r)
				}
			}
		}
	}
}

// Descriptions are often HTML; a comment is read as plain text.
func TestDocDropsMarkup(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Value is:<ul><li><code>a</code>. First.</li><li>b</li></ul>.", "Value is:||- a. First.|- b||."},
		{`see <a href="https://example.test/x?a=b">orders</a>.<blockquote><strong>Note:</strong> careful</blockquote>`, "see orders.||Note: careful"},
		{"one<br/>two<BR>three", "one|two|three"},
		{"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b|c"},
		{"a &lt; b &amp;&amp; c", "a < b && c"},
		{"call /items/<id> with x < y and z > 1", "call /items/<id> with x < y and z > 1"},
		{"broken <a href", "broken <a href"},
		{"&#10;//go:build ignore", "//go:build ignore"},
	}
	for _, tt := range tests {
		if got := strings.Join(docLines(tt.text), "|"); got != tt.want {
			t.Errorf("docLines(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
