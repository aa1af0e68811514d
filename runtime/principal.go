package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/http"
	"slices"
)

type principalKey struct{}

// WithPrincipal says on whose behalf the calls under ctx are made, so that an
// answer that was kept or shared for one user never reaches another. id must
// tell users apart; it is hashed, never sent.
func WithPrincipal(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, principalKey{}, id)
}

// An identity is what must be equal for one call's answer to serve another:
// operation, full URL, body, the headers of the policy's vary, and the principal.
type identity [sha256.Size]byte

// identity returns the call's, and false where its answer must not be kept:
// nobody knows whose it is, or its body cannot be compared.
func (c *Call) identity(x *execution) (identity, bool) {
	if !c.Body.IsZero() && c.Body.kind != bytesBody {
		return identity{}, false
	}
	h := sha256.New()
	add(h, c.Operation, c.Method, c.target.String(), string(c.Body.bytes))
	for _, name := range x.plan.policy.Fallback.Vary {
		add(h, name)
		add(h, c.Header.Values(name)...)
	}
	if !c.addPrincipal(x, h) {
		return identity{}, false
	}
	return identity(h.Sum(nil)), true
}

// addPrincipal adds whose call it is.
func (c *Call) addPrincipal(x *execution, h hash.Hash) bool {
	if x.plan.principal == Shared {
		return true
	}
	if id, ok := x.ctx.Value(principalKey{}).(string); ok {
		add(h, "context", id)
		return true
	}
	if x.plan.principal == ByContext || c.Auth == nil {
		return false
	}
	// The credential is what the authorizer adds to a request.
	u := *c.target
	r := (&http.Request{Method: c.Method, URL: &u, Host: u.Host, Header: http.Header{}}).WithContext(x.ctx)
	if err := c.Auth.Authorize(x.ctx, r); err != nil {
		return false
	}
	if len(r.Header) == 0 && r.URL.String() == c.target.String() {
		return false // it added nothing
	}
	add(h, "credential", r.URL.String())
	add(h, c.Header.Values("Cookie")...) // a parameter of the operation: it too tells users apart
	addHeader(h, r.Header)
	return true
}

// addHeader adds a header in a fixed order.
func addHeader(h hash.Hash, header http.Header) {
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		add(h, name)
		add(h, header[name]...)
	}
}

// add adds texts so that their borders count.
func add(h hash.Hash, texts ...string) {
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(len(texts)))
	h.Write(size[:])
	for _, text := range texts {
		binary.BigEndian.PutUint64(size[:], uint64(len(text)))
		h.Write(size[:])
		h.Write([]byte(text))
	}
}
