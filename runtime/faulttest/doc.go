// Package faulttest is a server that fails on purpose: it hangs, is slow,
// truncates, resets, refuses, and answers any status and header, as a script
// says. It keeps a book of what was really done, by idempotency key, so that a
// test can ask whether anything was done twice.
//
// [NewServer] listens on loopback. [NewPipe] listens on pipes in memory with a
// real http.Server and http.Transport on both ends, so that it works inside a
// testing/synctest bubble, where waiting takes no time. [NewRoundTripper] has no
// server at all and is the quickest. All three read the same script:
//
//	server := faulttest.NewPipe(
//		faulttest.Status(503),
//		faulttest.Hang(),
//		faulttest.JSON(201, `{"id":"ch_1"}`),
//	)
//	defer server.Close()
//
// A step serves one request, in order. Requests beyond the script get what
// [Script.Otherwise] says, else 200 with an empty JSON object.
package faulttest
