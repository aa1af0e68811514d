package diff

import (
	"cmp"
	"math/big"
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
		return cmp.Compare(asInt(x.unbounded), asInt(y.unbounded)), true
	}
	return x.amount.Cmp(y.amount), true
}

func asInt(b bool) int {
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
