package runtime

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Key is an idempotency key through its life. Keep it with the work that it
// stands for: a call that failed is resumed by giving its error's key to the
// next one ([WithIdempotencyKey]), which then sends the same key. A key past
// its retention, or for another host, is refused.
type Key struct {
	Value     string
	FirstSent time.Time // when it first went out. Zero: it was made now.
	Host      string    // the host it went to. Empty: any.
	Rejected  bool      // whatever bore it was refused: nothing was done under it
}

// mayBeDone reports whether something may have been done under the key.
func (k Key) mayBeDone() bool { return !k.FirstSent.IsZero() && !k.Rejected }

// KeyFrom makes a key out of what identifies the work, such as an order's
// number and the step taken on it, so that a process that was restarted sends
// the same key again. The same parts in the same order make the same key. Give
// it a FirstSent where it is known, so that a key that the server has forgotten
// is refused rather than sent.
func KeyFrom(parts ...string) Key {
	h := sha256.New()
	for _, part := range parts {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:]) // so that ("ab", "c") is not ("a", "bc")
		h.Write([]byte(part))
	}
	return Key{Value: uuid([16]byte(h.Sum(nil)[:16]), 8)}
}

// newKey makes a random key, a UUID of version 4. Where the server takes fewer
// characters than a UUID has, they are random ones.
func newKey(most int) string {
	if most > 0 && most < uuidLength {
		text := rand.Text() // 26 letters and digits
		return text[:min(most, len(text))]
	}
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return uuid(b, 4)
}

const (
	uuidLength = 36
	leastKey   = 16 // characters of a random key, 80 bits: below that two calls may come to share one
)

func uuid(b [16]byte, version byte) string {
	b[6] = b[6]&0x0f | version<<4
	b[8] = b[8]&0x3f | 0x80
	var out [36]byte
	hex.Encode(out[:8], b[:4])
	hex.Encode(out[9:13], b[4:6])
	hex.Encode(out[14:18], b[6:8])
	hex.Encode(out[19:23], b[8:10])
	hex.Encode(out[24:], b[10:])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return string(out[:])
}

// placeKey checks the caller's key or makes one, once a call, and puts it
// where the policy says.
func (c *Call) placeKey(p *Policy) error {
	rule := &p.Key
	given := c.config.key
	if rule.In == 0 || p.Class == Safe {
		if given.Value != "" {
			return wordedf(ErrInput, "an idempotency key was given; the operation takes none")
		}
		return nil
	}
	if err := rule.accepts(given, c.config.keyGiven, c.URL.Host); err != nil {
		return err
	}
	c.key = given
	if c.key.Value == "" {
		c.key.Value = newKey(rule.MaxLength)
	}
	switch rule.In {
	case InHeader:
		c.Header.Del(rule.Name)
		// net/http repeats a request with an Idempotency-Key by itself, unseen by
		// breaker, budget and count. It looks for the canonical spelling alone.
		c.keyField[0] = c.key.Value
		c.Header[strings.ToLower(rule.Name)] = c.keyField[:]
	case InQuery:
		target := *c.URL
		target.RawQuery = withQuery(target.RawQuery, rule.Name, c.key.Value)
		c.target = &target
	case InBody:
		if c.Body.kind != bytesBody {
			return wordedf(ErrInput, "the idempotency key belongs into the body at %s; want a JSON body", rule.Pointer)
		}
		body, err := keyInBody(c.Body.bytes, rule.Pointer, c.key.Value)
		if err != nil {
			return err
		}
		c.Body = Bytes(body)
	default:
		panic(fmt.Sprintf("runtime: key place %d not handled", rule.In))
	}
	return nil
}

// accepts says what is wrong with a key that was given, or not given. Messages
// never hold the key.
func (rule *KeyRule) accepts(k Key, given bool, host string) error {
	switch {
	case !given && rule.ByCaller:
		return wordedf(ErrInput, "no idempotency key, and none is made for this operation; give one with rt.WithIdempotencyKey")
	case !given && rule.MaxLength > 0 && rule.MaxLength < leastKey:
		return wordedf(ErrInput, "the server takes a key of %d characters, too few for a random one; give one with rt.WithIdempotencyKey", rule.MaxLength)
	case !given:
		return nil
	case k.Value == "":
		return wordedf(ErrInput, "the idempotency key is empty; want a value")
	case rule.MaxLength > 0 && len(k.Value) > rule.MaxLength:
		return wordedf(ErrInput, "the idempotency key has %d characters; the server takes %d", len(k.Value), rule.MaxLength)
	case strings.ContainsFunc(k.Value, func(r rune) bool { return r < 0x21 || r > 0x7e }):
		return wordedf(ErrInput, "the idempotency key has a character that is not printable ASCII; want letters, digits and punctuation")
	case k.Host != "" && !strings.EqualFold(k.Host, host):
		return wordedf(ErrKeyHost, "it went to %s, this call goes to %s", k.Host, host)
	case k.FirstSent.IsZero():
		return nil
	case rule.Retention == 0:
		return wordedf(ErrKeyExpired, "how long the server keeps keys is not known, so a key serves one call")
	}
	if age := k.age(); age > rule.Retention {
		return wordedf(ErrKeyExpired, "it is %s old; the server keeps keys for %s", age.Round(time.Second), rule.Retention)
	}
	return nil
}

// age is the time since the key was first sent. Clocks that differ make none
// younger than it is.
func (k *Key) age() time.Duration { return max(time.Since(k.FirstSent), 0) }

func withQuery(query, name, value string) string {
	pair := url.QueryEscape(name) + "=" + url.QueryEscape(value)
	if query == "" {
		return pair
	}
	return query + "&" + pair
}

// KeyHeader returns the idempotency key that a request bears in the named
// header. Clients of this package send it under a spelling that net/http does
// not look for, so that Header.Get does not find it before it is on the wire.
func KeyHeader(h http.Header, name string) string {
	for have, values := range h {
		if strings.EqualFold(have, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}
