package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// parseYAML reads exactly one YAML document and normalises it.
func (s *source) parseYAML(data []byte, own ownership, ds *diag.List) {
	loader, err := yaml.NewLoader(bytes.NewReader(hideVersionDirective(data)), yaml.WithPlugin(
		loaderlimits.New(loaderlimits.DepthValue(maxDepth), loaderlimits.AliasNone())), yaml.WithUniqueKeys(false))
	if err != nil {
		panic("document: " + err.Error()) // the options are constant
	}
	var doc yaml.Node
	switch err := loader.Load(&doc); {
	case err == io.EOF || err == nil && len(doc.Content) == 0:
		ds.Errorf(diag.Pos{File: s.name, Line: 1, Col: 1}, "empty", "the file is empty; want a document")
		return
	case err != nil:
		s.syntaxError(err, data, ds)
		return
	}
	var second yaml.Node
	switch err := loader.Load(&second); {
	case err == io.EOF:
	case err != nil:
		s.syntaxError(err, data, ds)
		return
	default:
		line, col := max(second.Line, 1), max(second.Column, 1)
		ds.Errorf(diag.Pos{File: s.name, Line: line, Col: col}, "second-document", "a second document begins here; want one document in a file").
			WithHint("remove it or move it to a file of its own")
		return
	}
	n := normaliser{name: s.name, end: positionAt(s.name, data, len(data)), budget: maxExpanded, ds: ds, members: newMembers(own, ds)}
	s.root = n.node(doc.Content[0], 1)
	s.dups = n.members.dups
}

// hideVersionDirective turns "%YAML 1.2" into a comment of the same length:
// yaml/v4 refuses all versions but 1.1, though it reads most of 1.2.
func hideVersionDirective(data []byte) []byte {
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], '\n') + 1 + at
		if end == at {
			end = len(data)
		}
		line := data[at:end]
		switch {
		case bytes.HasPrefix(line, []byte("%YAML 1.")):
			hidden := bytes.Clone(data)
			hidden[at] = '#'
			return hidden
		case len(bytes.TrimSpace(line)) == 0, line[0] == '#', line[0] == '%':
		default:
			return data
		}
		at = end
	}
	return data
}

// syntaxError reports what yaml/v4 says about the text, at its place.
func (s *source) syntaxError(err error, data []byte, ds *diag.List) {
	p := diag.Pos{File: s.name, Line: 1, Col: 1}
	message := err.Error()
	var found *yaml.LoadError
	if errors.As(err, &found) {
		message = found.Message
		if found.ContextMsg != "" {
			message = found.ContextMsg + ": " + message
		}
		if found.Mark.Line > 0 {
			p.Line, p.Col = found.Mark.Line, max(found.Mark.Column, 1)
		}
	}
	if at := firstControl(data); at >= 0 && strings.HasPrefix(message, "control characters") {
		p = positionAt(s.name, data, at) // yaml/v4 does not tell
	}
	p = inside(p, data)
	d := ds.Errorf(p, "syntax", "not YAML: %s", short(message))
	if strings.Contains(message, "exceeded max depth") {
		d.Code, d.Message = "limit", "more than 200 levels of nesting; want at most 200"
	}
	if strings.Contains(message, "cannot start any token") {
		d.Message, d.Hint = cannotBegin(data, p)
	}
}

// cannotBegin says what is wrong with a character that yaml/v4 takes for no
// beginning of anything.
func cannotBegin(data []byte, p diag.Pos) (message, hint string) {
	lines := bytes.SplitN(data, []byte("\n"), p.Line+1)
	line := bytes.Runes(lines[min(p.Line, len(lines))-1])
	if p.Col > len(line) {
		return "not YAML: the line ends where a value should begin", "write the value, in quotes if it is text"
	}
	if c := line[p.Col-1]; c != '\t' {
		return fmt.Sprintf("not YAML: no value begins with %q", c), "put text that begins with it in quotes"
	}
	return "not YAML: a tab stands where the line is indented; want spaces", "replace the tab by spaces"
}

// firstControl is the offset of the first character that YAML does not allow,
// or -1.
func firstControl(data []byte) int {
	return bytes.IndexFunc(data, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' && r != 0x85
	})
}

// inside moves a position that lies behind the last line to the end of the
// text: a parser may notice there only that something is missing.
func inside(p diag.Pos, data []byte) diag.Pos {
	end := positionAt(p.File, data, len(data))
	if p.Line > end.Line {
		return end
	}
	return p
}
