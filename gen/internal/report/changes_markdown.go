package report

import (
	"bytes"
	"io"
)

// markdownLimit is how many bytes of Markdown a comment may have: GitHub takes
// 65,536 characters, and what posts it may put words of its own around it.
const markdownLimit = 60_000

// details are from all that there is to say to the least, for comments that
// would be too long.
var details = []detail{{}, {operations: 50}, {operations: 10}, {operations: 5, rows: 100}, {operations: 2, rows: 40}, {operations: 1, rows: 15}, {operations: 1, rows: 5}, {operations: 1, rows: 1}}

// DiffMarkdown writes changes as a comment for a pull request: a table a
// direction, the details folded. What would not fit into a comment is cut to
// how many more there are, long lists first.
func DiffMarkdown(w io.Writer, clients []ClientChanges) error {
	var b bytes.Buffer
	for _, much := range details {
		b.Reset()
		if err := executeMarkdown(&b, "diff.md.tmpl", diffViews(clients, much)); err != nil {
			return err
		}
		if b.Len() <= markdownLimit {
			break
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
