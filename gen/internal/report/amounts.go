package report

import (
	"regexp"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// withoutAmounts is a rule's message with each time, share, rate and count in
// what it says replaced: they change with leaves that stand elsewhere, and the
// finding remains the one that it was. Statuses stay, where a rule is about
// them, since a finding of another status is another finding. Of what is wrong
// in a file itself the message stays as it is.
func withoutAmounts(d diag.Diagnostic, message string) string {
	if _, ok := rules.Find(d.Code); !ok {
		return message
	}
	subject, says := "", message
	if len(d.Subjects) > 0 {
		if before, after, ok := strings.Cut(message, ": "); ok {
			subject, says = before+": ", after
		}
	}
	aboutStatuses := strings.HasPrefix(d.Code, "RG0") || strings.HasPrefix(d.Code, "RG6")
	var b strings.Builder
	end := 0
	for _, at := range amount.FindAllStringIndex(says, -1) {
		text := says[at[0]:at[1]]
		if at[0] > 0 && joins(says[at[0]-1]) || at[1] < len(says) && joins(says[at[1]]) || aboutStatuses && status.MatchString(text) {
			continue // a part of a name, or a status
		}
		b.WriteString(says[end:at[0]] + "#")
		end = at[1]
	}
	return subject + b.String() + says[end:]
}

var (
	amount = regexp.MustCompile(`\d+(?:\.\d+)?(?:(?:ns|us|µs|ms|s|m|h)(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))*|%|/s|/m)?`)
	status = regexp.MustCompile(`^[1-5]\d\d$`)
)

// joins reports whether a byte beside a number makes it a part of a name or a
// path.
func joins(c byte) bool {
	return c == '-' || c == '_' || c == '/' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
