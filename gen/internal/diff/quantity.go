package diff

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"time"
)

// A quantity is a value of the record that has more and less: a duration, a
// share, a rate or a number. "none" and no value at all have no bound.
type quantity struct {
	unbounded bool
	amount    *big.Rat
}

// compareQuantities orders two values of the record; ok is false where one is
// no quantity.
func compareQuantities(a, b string) (order int, ok bool) {
	x, ok1 := parseQuantity(a)
	y, ok2 := parseQuantity(b)
	switch {
	case !ok1 || !ok2:
		return 0, false
	case x.unbounded || y.unbounded:
		return cmp.Compare(number(x.unbounded), number(y.unbounded)), true
	}
	return x.amount.Cmp(y.amount), true
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func parseQuantity(text string) (quantity, bool) {
	if text == "" || text == "none" {
		return quantity{unbounded: true}, true
	}
	if d, err := time.ParseDuration(text); err == nil {
		return quantity{amount: new(big.Rat).SetInt64(int64(d))}, true
	}
	per := int64(1)
	switch {
	case strings.HasSuffix(text, "%"):
		per, text = 100, strings.TrimSuffix(text, "%")
	case strings.HasSuffix(text, "/s"):
		text = strings.TrimSuffix(text, "/s")
	case strings.HasSuffix(text, "/m"):
		per, text = 60, strings.TrimSuffix(text, "/m")
	}
	amount, ok := new(big.Rat).SetString(text)
	if !ok {
		return quantity{}, false
	}
	return quantity{amount: amount.Quo(amount, new(big.Rat).SetInt64(per))}, true
}

// gained and lost are the members of a set that only the new or only the old
// side has. A range that comes counts for the statuses that it holds.
func setDifference(old, new string) (gained, lost []string) {
	a, b := members(old), members(new)
	for _, m := range b {
		if !has(a, m) {
			gained = append(gained, m)
		}
	}
	for _, m := range a {
		if !has(b, m) {
			lost = append(lost, m)
		}
	}
	return gained, lost
}

func members(text string) []string {
	if text == "none" {
		return nil
	}
	return strings.Fields(text)
}

// has reports whether a set holds a member, by itself or by its range.
func has(set []string, m string) bool {
	if slices.Contains(set, m) {
		return true
	}
	return len(m) == 3 && m[0] >= '1' && m[0] <= '5' && slices.Contains(set, m[:1]+"XX")
}
