package policy

import "strings"

// near is the word that was probably meant: the one that differs least, by at
// most a third of its letters, without regard to case; empty where there is none.
func near(text string, words []string) string {
	best, least := "", 1<<30
	lower := strings.ToLower(text)
	if len(lower) < 3 || len(lower) > 60 {
		return "" // anything is near to the one, and no word of ours is as long as the other
	}
	for _, w := range words {
		d := distance(lower, strings.ToLower(w))
		if d < least && d <= max(1, len(w)/3) {
			best, least = w, d
		}
	}
	return best
}

// distance is the least number of insertions, deletions, replacements and
// swaps of neighbours that turn a into b.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
