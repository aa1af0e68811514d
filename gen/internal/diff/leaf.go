package diff

import (
	"fmt"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A leafChange is one line that differs between two sides.
type leafChange struct {
	key                string
	old, new           policy.Line
	oldTable, newTable int   // tables of defaults, where they differ; else 0
	was, is            *view // the operation on both sides; nil: a line of a compartment
	reason             bool  // only because, owner or until differ
}

// change is the leafChange as a row.
func (l leafChange) change(d Direction, why string) Change {
	return Change{
		Direction: d, Kind: Altered, Leaf: l.key, Why: why,
		Old: side(l.old, l.oldTable), New: side(l.new, l.newTable),
	}
}

// ofReason is a change of a line's reason alone, its texts as the values.
func (l leafChange) ofReason() leafChange {
	l.reason = true
	l.old.Value, l.new.Value = reasoned(l.old), reasoned(l.new)
	return l
}

func reasoned(l policy.Line) string {
	text := l.Value
	for _, part := range []struct{ name, text string }{{"because", l.Because}, {"owner", l.Owner}, {"until", l.Until}} {
		if part.text != "" {
			text += fmt.Sprintf("; %s: %s", part.name, part.text)
		}
	}
	return text
}

// reasonMoved says what of a line's reason differs, or nothing.
func reasonMoved(l leafChange) string {
	switch {
	case l.old.Until != l.new.Until:
		return "until"
	case l.old.Because != l.new.Because:
		return "because"
	case l.old.Owner != l.new.Owner:
		return "owner"
	}
	return ""
}

// side is a line as one side of a change; table is that of the defaults where
// the sides have different ones, else 0.
func side(l policy.Line, table int) Side {
	s := Side{Value: l.Value, Causes: causes(l, table)}
	if l.Pos.IsValid() {
		s.Pos = l.Pos.String()
	}
	return s
}

// causes are a line's origins in words.
func causes(l policy.Line, table int) []string {
	var out []string
	for _, o := range l.Origins {
		text := o.Layer
		switch {
		case o.Layer == "default" && table > 0:
			text = fmt.Sprintf("default (table %d)", table)
		case o.Name != "":
			text += " " + o.Name
		}
		if o.Via != "" {
			text += ", via " + o.Via
		}
		out = append(out, text)
	}
	return out
}
