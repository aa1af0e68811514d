package wire

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A byteSet is a set of ASCII bytes.
type byteSet [2]uint64

func bytesOf(s string) byteSet {
	var set byteSet
	for i := range len(s) {
		set[s[i]>>6] |= 1 << (s[i] & 63)
	}
	return set
}

func (set *byteSet) has(c byte) bool { return c < utf8.RuneSelf && set[c>>6]&(1<<(c&63)) != 0 }

func (set byteSet) with(s string) byteSet {
	more := bytesOf(s)
	return byteSet{set[0] | more[0], set[1] | more[1]}
}

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

var (
	// unreserved is RFC 3986's set: what never needs an escape.
	unreserved = bytesOf(alphanumeric + "-._~")
	// pathLiteral is what a path template may hold as it is: pchar and the slash.
	pathLiteral = unreserved.with("!$&'()*+,;=:@/")
	// reservedInQuery is what allowReserved lets through: RFC 3986's reserved
	// characters without those that would end the query (#), begin another
	// parameter (&), be read as a space (+) or may not stand there ([ and ]).
	reservedInQuery = unreserved.with(":/?@!$'()*,;=")
	// severalSegments is what a parameter of several path segments lets through.
	severalSegments = unreserved.with("/")
	// reservedInPath is what allowReserved lets through in a path segment.
	reservedInPath = unreserved.with(":@!$&'()*+,;=")
	// cookieOctet is RFC 6265's cookie-octet without the percent sign, so that
	// a value can be told from its escape.
	cookieOctet = unreserved.with("!#$&'()*+/:<=>?@[]^`{|}")
	// token is RFC 9110's set for names of headers and cookies.
	token = bytesOf(alphanumeric + "!#$%&'*+-.^_`|~")
)

// An escaping is how text is made fit for a place in the request.
type escaping struct {
	keep    *byteSet
	plus    bool // a space is "+", as in forms
	triples bool // %XX goes through unchanged: RFC 6570's reserved expansion
}

const upperHex = "0123456789ABCDEF"

// appendTo appends s to dst.
func (e escaping) appendTo(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case e.keep.has(c):
			dst = append(dst, c)
		case c == ' ' && e.plus:
			dst = append(dst, '+')
		case c == '%' && e.triples && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			dst = append(dst, '%')
		default:
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// checkText refuses text that has no place in a URL or form: it is not UTF-8.
func checkText(s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	return fmt.Errorf("value is not UTF-8; want text")
}

// checkFieldValue refuses what net/http would refuse in a header value, and
// what it would cut off at the ends.
func checkFieldValue(s string) error {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return fmt.Errorf("value holds the control character %q; a header cannot", rune(c))
		}
	}
	if s != strings.Trim(s, " \t") {
		return fmt.Errorf("value begins or ends with a space; a header cannot keep it")
	}
	return checkText(s)
}

// checkCookieText refuses control characters in a cookie.
func checkCookieText(s string) error {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == 0x7f {
			return fmt.Errorf("value holds the control character %q; a cookie cannot", rune(c))
		}
	}
	return checkText(s)
}
