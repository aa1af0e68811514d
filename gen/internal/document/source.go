package document

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A source is one file of the user's, parsed and normalised. Each file is
// parsed once.
type source struct {
	path string     // slash-separated, within the folder that the files are read from
	name string     // as displayed, and as stamped on each of its nodes
	root *yaml.Node // nil where the file could not be read as a tree
	dups []duplicate

	trouble  *trouble              // why the file could not be read at all
	byAnchor map[string]*yaml.Node // see index
	ids      bool                  // it may hold an $id or a $dynamicAnchor
}

// decodeText makes valid UTF-8 without a byte order mark out of a file's
// bytes, or says why that cannot be done.
func decodeText(name string, data []byte, ds *diag.List) ([]byte, bool) {
	data, ok := toUTF8(data)
	if !ok {
		ds.Errorf(diag.Pos{File: name, Line: 1, Col: 1}, "encoding", "the file is in UTF-32 or in broken UTF-16; want UTF-8").
			WithHint("save %s as UTF-8", name)
		return nil, false
	}
	if at := firstBadUTF8(data); at >= 0 {
		ds.Errorf(positionAt(name, data, at), "encoding", "byte 0x%02X is no UTF-8; want a file in UTF-8", data[at]).
			WithHint("save %s as UTF-8", name)
		return nil, false
	}
	return data, true
}

// toUTF8 strips a byte order mark and transcodes UTF-16, which is known by its
// mark or by the zero byte beside the first, ASCII, character.
func toUTF8(data []byte) ([]byte, bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xEF, 0xBB, 0xBF}):
		return data[3:], true
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xFE, 0xFF}):
		return nil, false
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return fromUTF16(data[2:], binary.BigEndian)
	case len(data) >= 4 && data[0] != 0 && data[1] == 0 && data[2] != 0 && data[3] == 0:
		return fromUTF16(data, binary.LittleEndian)
	case len(data) >= 4 && data[0] == 0 && data[1] != 0 && data[2] == 0 && data[3] != 0:
		return fromUTF16(data, binary.BigEndian)
	}
	return data, true
}

func fromUTF16(data []byte, order binary.ByteOrder) ([]byte, bool) {
	if len(data)%2 != 0 {
		return nil, false
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units))), true
}

func firstBadUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// positionAt is the position of a byte offset; columns count characters, and
// lines end as in YAML.
func positionAt(name string, data []byte, offset int) diag.Pos {
	p := diag.Pos{File: name, Line: 1, Col: 1}
	for at := 0; at < min(offset, len(data)); {
		r, size := utf8.DecodeRune(data[at:])
		at += size
		switch {
		case r == '\r' && at < len(data) && data[at] == '\n': // the line ends after both
		case r == '\n', r == '\r', r == 0x85, r == 0x2028, r == 0x2029:
			p.Line, p.Col = p.Line+1, 1
		default:
			p.Col++
		}
	}
	return p
}

// parse reads one file's bytes into a normalised tree. The tree is nil where
// an error was found.
func parse(name string, data []byte, own ownership, ds *diag.List) *source {
	src := &source{name: name}
	data, ok := decodeText(name, data, ds)
	if !ok {
		return src
	}
	src.ids = bearsIDs(data)
	before := len(*ds)
	switch {
	case looksLikeMarkup(data):
		ds.Errorf(diag.Pos{File: name, Line: 1, Col: 1}, "markup", "the file is HTML or XML; want YAML or JSON").
			WithHint("give the description itself, not a page that shows it")
	case looksLikeJSON(data):
		src.parseJSON(data, own, ds)
	default:
		src.parseYAML(data, own, ds)
	}
	for _, d := range (*ds)[before:] {
		if d.Severity == diag.Error && d.Code != "duplicate-key" { // with those there is a tree to go on with
			src.root = nil
		}
	}
	return src
}

// looksLikeMarkup reports whether a file begins with a tag, as a page does
// that was saved instead of what it shows.
func looksLikeMarkup(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 1 && data[0] == '<' && (data[1] == '!' || data[1] == '?' || data[1]|0x20 >= 'a' && data[1]|0x20 <= 'z')
}

func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// parseJSON reads JSON with the scanner of this package. Where that fails it
// leaves out comments and trailing commas, and then reads YAML, of which JSON
// is a part.
func (s *source) parseJSON(data []byte, own ownership, ds *diag.List) {
	failed := s.scan(data, own, ds)
	if failed == nil {
		return
	}
	if looser, changed := relaxed(data); changed {
		if s.scan(looser, own, ds) == nil {
			ds.Warnf(failed.Pos, "json-as-yaml", "%s; comments and trailing commas were left out", failed.Message).
				WithHint("write JSON")
			return
		}
		if meantAsJSON(data) {
			ds.Add(*failed) // YAML would take a comment for a name
			return
		}
	}
	var found diag.List
	s.parseYAML(data, own, &found)
	switch {
	case s.root != nil && !found.HasErrors():
		if strings.EqualFold(path.Ext(s.name), ".json") {
			ds.Warnf(failed.Pos, "json-as-yaml", "%s; the file was read as YAML", failed.Message).
				WithHint("write JSON, or give the file the extension .yaml")
		}
		*ds = append(*ds, found...)
	case s.root == nil && meantAsJSON(data):
		ds.Add(*failed)
	default:
		*ds = append(*ds, found...)
	}
}

// scan reads strict JSON, or says what is none.
func (s *source) scan(data []byte, own ownership, ds *diag.List) *diag.Diagnostic {
	var found diag.List
	root, dups, failed := scanJSON(s.name, data, own, &found)
	if failed == nil {
		s.root, s.dups = root, dups
		*ds = append(*ds, found...)
	}
	return failed
}

// meantAsJSON reports whether a file that neither reader takes was to be JSON:
// its first member is in double quotes.
func meantAsJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 1 && bytes.HasPrefix(bytes.TrimLeft(data[1:], " \t\r\n"), []byte{'"'})
}

// An opener reads files below one folder. It is the one place that touches
// the disk or whatever stands in for it.
type opener struct {
	fsys   fs.FS
	close  func() error
	prefix string // in front of a file's path when it is displayed
}

// openFolder reads from a folder on disk; neither "..", an absolute path nor a
// symbolic link leads out of it.
func openFolder(dir string) (opener, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return opener{}, err
	}
	return opener{fsys: root.FS(), close: root.Close, prefix: displayFolder(dir)}, nil
}

func displayFolder(dir string) string {
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(dir) {
		if rel, err := filepath.Rel(wd, dir); err == nil && !strings.HasPrefix(rel, "..") {
			dir = rel
		}
	}
	dir = filepath.ToSlash(filepath.Clean(dir))
	if dir == "." {
		return ""
	}
	return strings.TrimSuffix(dir, "/") + "/"
}

// display is the name that messages use for a file below the folder.
func (o opener) display(file string) string {
	if strings.HasSuffix(o.prefix, ":") {
		return o.prefix + file
	}
	return path.Clean(o.prefix + file)
}

var errTooLarge = errors.New("too large")

// read returns a file's bytes, at most limit of them.
func (o opener) read(file string, limit int64) ([]byte, error) {
	f, err := o.fsys.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a folder")
	case info.Mode()&fs.ModeType != 0:
		return nil, errors.New("is no regular file")
	case info.Size() > limit:
		return nil, fmt.Errorf("%w: %d bytes", errTooLarge, info.Size())
	}
	var buf bytes.Buffer
	buf.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := buf.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(buf.Len()) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes", errTooLarge, limit)
	}
	return buf.Bytes(), nil
}
