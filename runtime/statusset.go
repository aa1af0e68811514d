package runtime

// A statusSet is a set of statuses from 100 to 599.
type statusSet [8]uint64

func (s *statusSet) has(status int) bool {
	i := status - 100
	return i >= 0 && i < 64*len(s) && s[i/64]&(1<<(i%64)) != 0
}

func (s *statusSet) put(status int, in bool) {
	i := status - 100 // a policy's check has seen to it that it is one
	if in {
		s[i/64] |= 1 << (i % 64)
	} else {
		s[i/64] &^= 1 << (i % 64)
	}
}

// putAll puts a status, or a whole hundred for 1 to 5.
func (s *statusSet) putAll(key int, in bool) {
	if key > 5 {
		s.put(key, in)
		return
	}
	for status := key * 100; status < key*100+100; status++ {
		s.put(status, in)
	}
}

// newStatusSet makes a set of statuses and hundreds, less the exceptions. An
// exact status wins over a hundred.
func newStatusSet(statuses, except []int) statusSet {
	var s statusSet
	for _, key := range statuses {
		if key <= 5 {
			s.putAll(key, true)
		}
	}
	for _, key := range except {
		s.putAll(key, false)
	}
	for _, key := range statuses {
		if key > 5 {
			s.put(key, true)
		}
	}
	return s
}
