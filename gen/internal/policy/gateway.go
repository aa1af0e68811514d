package policy

import (
	"math"
	"strconv"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/document"
)

// gateways are the limits that gateways' own annotations on an object declare.
func gateways(n document.Node) []Gateway {
	var out []Gateway
	add := func(key, member string, unit time.Duration) {
		v := n.At(key, member)
		f, err := strconv.ParseFloat(v.Text(), 64)
		if err != nil || f <= 0 || f > math.MaxInt32 {
			return // not ours to judge
		}
		out = append(out, Gateway{Key: key + "." + member, Limit: time.Duration(f * float64(unit)), Pos: v.Pos()})
	}
	add("x-google-backend", "deadline", time.Second)
	add("x-amazon-apigateway-integration", "timeoutInMillis", time.Millisecond)
	return out
}
