package main

import "strings"

// book shows what the server did over all scenes, and holds it against what
// the clients were told.
func book(d *demo) {
	d.heading("THE BOOK", "what the server did, over all scenes")
	charges, receipts, replayed := 0, 0, 0
	twice := false
	for _, e := range d.server.Book.Effects() {
		replayed += e.Replayed
		twice = twice || e.Times > 1
		switch {
		case strings.HasPrefix(e.Path, "/charges"):
			charges++
		case strings.HasPrefix(e.Path, "/receipts"):
			receipts++
		}
	}
	d.remark("charges: %d, receipts: %d; asked again for what was done already: %d, which was not done again", charges, receipts, replayed)
	d.promise(!twice && len(d.server.Book.Duplicates()) == 0, "no key was booked twice")
	once := true
	for _, key := range d.charged {
		once = once && d.server.Book.Done(key.Value) == 1
	}
	d.promise(once, "each of the %d charges that succeeded was booked once", len(d.charged))
	d.promise(charges == len(d.charged), "and none was booked that its caller does not know of")
}
