package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// sources are the files that diagnostics point into, split into lines once.
type sources struct{ lines map[string][][]byte }

func newSources() *sources { return &sources{lines: map[string][][]byte{}} }

// excerptWidth is how many characters of a line are shown: minified JSON has
// lines of megabytes.
const excerptWidth = 100

// excerpt is the part of the line around a position, and how far in it the
// column stands. It is not ok where the file cannot be read or has no such line.
func (s *sources) excerpt(pos diag.Pos) (line string, column int, ok bool) {
	lines := s.file(pos.File)
	if pos.Line < 1 || pos.Line > len(lines) || pos.Col < 1 {
		return "", 0, false
	}
	text := []rune(string(bytes.TrimRight(lines[pos.Line-1], "\r")))
	column = pos.Col - 1
	if column > len(text) {
		return "", 0, false
	}
	from := 0
	if column > excerptWidth*2/3 {
		from = column - excerptWidth/2
	}
	to := min(len(text), from+excerptWidth)
	for i, r := range text[from:to] {
		if !strconv.IsPrint(r) {
			text[from+i] = ' ' // a tab, a control or a direction mark: one column, as positions count
		}
	}
	line = string(text[from:to])
	column -= from
	if from > 0 {
		line, column = "…"+line, column+1
	}
	if to < len(text) {
		line += "…"
	}
	return line, column, true
}

// utf16Column is a position's column counted in UTF-16 units, or as it is where
// the line cannot be read.
func (s *sources) utf16Column(pos diag.Pos) int {
	lines := s.file(pos.File)
	if pos.Line < 1 || pos.Line > len(lines) {
		return pos.Col
	}
	column := pos.Col
	for i, r := range []rune(string(lines[pos.Line-1])) {
		if i >= pos.Col-1 {
			break
		}
		if r > 0xffff {
			column++
		}
	}
	return column
}

func (s *sources) file(name string) [][]byte {
	if name == "" {
		return nil
	}
	lines, ok := s.lines[name]
	if !ok {
		content, err := os.ReadFile(filepath.FromSlash(name))
		if err == nil {
			content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
			lines = bytes.Split(content, []byte("\n"))
		}
		s.lines[name] = lines // also where it cannot be read: asked once
	}
	return lines
}
