package rules

import "math/bits"

// exceeds reports whether a×b > c×d, exactly, for numbers from 0.
func exceeds(a, b, c, d int64) bool {
	hi1, lo1 := bits.Mul64(uint64(a), uint64(b))
	hi2, lo2 := bits.Mul64(uint64(c), uint64(d))
	return hi1 > hi2 || hi1 == hi2 && lo1 > lo2
}
