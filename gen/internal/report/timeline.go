package report

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A timelineView is the worst case, a bar a step.
type timelineView struct {
	Total string
	Rows  []barView
}

type barView struct{ Label, Before, Bar, After, Time string }

// timelineWidth is how many characters the whole call takes.
const timelineWidth = 48

// timeline draws what happens if every attempt takes all that it may. It is
// nil where nothing limits the call, because there is no worst case then.
func timeline(e *policy.Explanation) *timelineView {
	if e.Unlimited || e.Total <= 0 {
		return nil
	}
	v := &timelineView{Total: e.Total.String()}
	column := func(at time.Duration) int {
		at = min(max(at, 0), e.Total)
		return int(at * timelineWidth / e.Total)
	}
	label := 0
	for _, s := range e.WorstCase {
		from, to := column(s.At), column(s.End)
		if to == from {
			to = min(from+1, timelineWidth)
			from = to - 1
		}
		row := barView{
			Label: stepLabel(s), Before: strings.Repeat(" ", from), Bar: strings.Repeat(stepMark(s), to-from),
			After: strings.Repeat(" ", timelineWidth-to), Time: stepTime(s),
		}
		label = max(label, width(row.Label))
		v.Rows = append(v.Rows, row)
	}
	for i := range v.Rows {
		v.Rows[i].Label = pad(v.Rows[i].Label, label)
	}
	return v
}

func stepLabel(s policy.Step) string {
	switch s.Kind {
	case policy.Queueing:
		return "in the queue"
	case policy.Attempt:
		return fmt.Sprintf("attempt %d", s.Number)
	case policy.Wait:
		return "wait"
	case policy.Cut:
		return "end"
	}
	panic(fmt.Sprintf("report: step %d not handled", s.Kind))
}

func stepMark(s policy.Step) string {
	switch s.Kind {
	case policy.Queueing, policy.Wait:
		return "·"
	case policy.Attempt:
		if !s.Started {
			return "×"
		}
		return "█"
	case policy.Cut:
		return "│"
	}
	panic(fmt.Sprintf("report: step %d not handled", s.Kind))
}

func stepTime(s policy.Step) string {
	switch {
	case s.Kind == policy.Cut:
		return fmt.Sprintf("%s: the total ends the call", s.End)
	case s.Kind == policy.Attempt && !s.Started:
		return "can no longer start"
	case s.Kind == policy.Wait:
		return fmt.Sprintf("at most %s", s.End-s.At)
	}
	return fmt.Sprintf("%s to %s", s.At, s.End)
}

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, to int) string { return s + strings.Repeat(" ", max(0, to-width(s))) }
