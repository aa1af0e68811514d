package names

import "strings"

// Singular is the name of one item of what a plural names: Twigs is Twig,
// Addresses is Address. The bool is false where the name is no plural that the
// rules know, and then the name is unchanged.
func Singular(name string) (string, bool) {
	low := strings.ToLower(name)
	for _, same := range [...]string{"series", "news", "species", "status", "alias", "analysis", "basis", "address",
		"access", "process", "success", "business", "class", "canvas", "bonus", "lens", "iris", "dns", "https", "css", "rss", "gas", "bus", "plus", "minus", "atlas", "sms", "aws", "os", "ios", "tls", "xss", "ts"} {
		if strings.HasSuffix(low, same) {
			return name, false
		}
	}
	switch n := len(name); {
	case n > 4 && strings.HasSuffix(low, "ies"):
		return name[:n-3] + "y", true
	case endsInAny(low, "statuses", "aliases", "addresses", "accesses", "processes", "successes", "businesses", "classes",
		"canvases", "bonuses", "lenses", "buses", "sses", "shes", "ches", "xes"):
		return name[:n-2], true
	case strings.HasSuffix(low, "analyses"):
		return name[:n-2] + "is", true
	case n > 2 && strings.HasSuffix(name, "s") && !endsInAny(low, "ss", "us", "is"):
		return name[:n-1], true
	}
	return name, false
}

func endsInAny(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}
