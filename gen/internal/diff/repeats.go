package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// ofClass judges a class that changed. The class decides whether a repeat does
// harm, so raising it without a key is unsafe whatever retry says now.
func ofClass(l leafChange) (Direction, string) {
	was, is := l.was.class(), l.is.class()
	switch {
	case permits(is) < permits(was):
		return Tightened, "it may be repeated less freely"
	case permits(is) == permits(was):
		return Changed, ""
	case l.is.keyed():
		return Changed, "each repeat bears the same key"
	case permits(is) <= permits(provenClass(l.is.op.Method)):
		return Changed, "the method proves it"
	}
	return Unsafe, "the class was raised without a key"
}

// ofKey judges what is said of a key.
func ofKey(l leafChange) (Direction, string) {
	switch {
	case l.new.Value == "":
		return Unsafe, "the key was dropped"
	case l.old.Value == "":
		return Tightened, "a key is sent"
	}
	was, is := parseKey(l.old.Value), parseKey(l.new.Value)
	switch {
	case !strings.EqualFold(was.place, is.place):
		return Unsafe, "the key travels in another place; a provider that looks in the old one sees none"
	case shorter(is.retention, was.retention) && beyond(l.is, is):
		return Unsafe, "the key is forgotten while the call may still repeat"
	case was.stores != is.stores && is.stores == "success":
		return Weakened, "server errors run again"
	case was.stores != is.stores && is.stores == "errors":
		return Tightened, "stored server errors are not retried"
	case was.retention == is.retention:
		return Changed, ""
	case is.retention == 0:
		return Tightened, "how long the key is kept is unknown, so that it serves one call only"
	case was.retention == 0:
		return Changed, "the key may serve later calls too"
	case is.retention < was.retention:
		return Weakened, "the key is forgotten earlier"
	}
	return Tightened, "the key is kept longer"
}

// ofStatuses judges what answers mean for a keyed operation.
func ofStatuses(l leafChange) (Direction, string) {
	came, went := meanings(l.new.Value, l.old.Value), meanings(l.old.Value, l.new.Value)
	for _, m := range came {
		if meant(m) == "done" {
			return Unsafe, m + ": an answer is taken to mean that it worked before"
		}
	}
	for _, m := range came {
		if meant(m) == "in-flight" {
			return Weakened, m + ": an answer is asked for again, with the same key"
		}
	}
	for _, m := range went {
		if word := meant(m); word == "done" || word == "in-flight" {
			return Tightened, "no longer " + m
		}
	}
	return Changed, ""
}

// meanings are the parts of a key.statuses line that another one has not.
func meanings(text, other string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ", ") {
		if !slices.Contains(strings.Split(other, ", "), part) {
			out = append(out, part)
		}
	}
	return out
}

// meant is the word of a part: in-flight of "409 in-flight at /code is busy".
func meant(part string) string {
	_, rest, _ := strings.Cut(part, " ")
	word, _, _ := strings.Cut(rest, " ")
	return word
}

// ofVerdict judges what an answer without the server's own word means.
func ofVerdict(l leafChange) (Direction, string) {
	switch { // without a verdict every answer is judged
	case l.old.Value == "stop":
		return Weakened, "sent again without the server's word too"
	case l.new.Value == "stop":
		return Tightened, "sent again only on the server's word"
	}
	return Changed, ""
}

// shorter reports whether a known retention is shorter than another, of which
// 0 is unknown.
func shorter[D ~int64](a, b D) bool { return a > 0 && (b == 0 || a < b) }

// beyond reports whether a call can outlast its key.
func beyond(v *view, k keyText) bool {
	if k.retention == 0 {
		return false // unknown: the key serves one call
	}
	order, ok := compareQuantities(v.value(string(policy.TimeoutTotal)), k.retention.String())
	return ok && order > 0
}

// ofTotal judges a call's limit: one that outlasts the key is unsafe.
func ofTotal(l leafChange) (Direction, string) {
	d, why := moreWeakens(l.old.Value, l.new.Value, "a call may take longer", "a call ends earlier")
	if d == Weakened && l.is != nil && l.is.keyed() && beyond(l.is, parseKey(l.is.value("key"))) {
		return Unsafe, "the call may repeat after its key was forgotten"
	}
	return d, why
}

// ofClaim judges sets of statuses that a repeat relies on.
func ofClaim(what string) judge {
	return func(l leafChange) (Direction, string) {
		switch gained, lost := setDifference(l.old.Value, l.new.Value); {
		case len(gained) > 0:
			return Unsafe, fmt.Sprintf("%s is taken to mean %s", strings.Join(gained, " "), what)
		case len(lost) > 0:
			return Tightened, fmt.Sprintf("%s is no longer taken to mean %s", strings.Join(lost, " "), what)
		}
		return Changed, ""
	}
}

func ofAttempts(l leafChange) (Direction, string) {
	order, ok := compareQuantities(l.new.Value, l.old.Value)
	switch {
	case !ok || order == 0:
		return Changed, ""
	case order < 0:
		return Tightened, "fewer attempts"
	}
	return retryWidened(l, "more attempts")
}

func ofWhen(l leafChange) (Direction, string) {
	switch gained, lost := setDifference(l.old.Value, l.new.Value); {
	case len(gained) > 0:
		return retryWidened(l, "sent again after "+strings.Join(gained, " "))
	case len(lost) > 0:
		return Tightened, "no longer sent again after " + strings.Join(lost, " ")
	}
	return Changed, ""
}

// retryWidened is the direction of more retry: unsafe on a write that bears no
// key, unless its method proves that it may be repeated and it was retried
// before, or nothing is retried.
func retryWidened(l leafChange, how string) (Direction, string) {
	v := l.is
	switch {
	case v == nil || !v.retried():
		return Weakened, how
	case v.keyed():
		return Weakened, how + ", each with the same key"
	case v.class() == "safe" && (!v.stated() || l.was.class() == "safe"):
		return Weakened, how
	case v.class() == "safe":
		return Unsafe, how + ": a write that was called safe, without a key"
	case v.stated() || v.class() == "unsafe":
		return Unsafe, how + ": a write without a key"
	case !l.was.retried():
		return Unsafe, how + ": retry was added to a write without a key"
	}
	return Weakened, how
}
