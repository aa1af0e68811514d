package runtime

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptrace"
	"reflect"
	"strings"
	"sync/atomic"
)

// evidence is what shows that the request of one attempt did not go out: a
// connection was asked for and none was got. Silence on both proves nothing,
// since a transport may not report at all. Hooks may fire late and twice, so
// that no other attempt may use it.
type evidence struct {
	asked, got atomic.Bool
	hooks      httptrace.ClientTrace
}

// watch gathers evidence for an attempt that writes. Reads need none.
func (c *Call) watch(ctx context.Context, x *execution) (context.Context, *evidence) {
	if x.plan.policy.Class == Safe {
		return ctx, nil
	}
	e := &c.proof // of the first attempt, often the only one
	if x.count > 1 {
		e = &evidence{}
	}
	e.hooks.GetConn = func(string) { e.asked.Store(true) }
	e.hooks.GotConn = func(httptrace.GotConnInfo) { e.got.Store(true) }
	return httptrace.WithClientTrace(ctx, &e.hooks), e
}

// forget drops what requests of the authorizer's own, for a token, have shown.
func (e *evidence) forget() {
	e.asked.Store(false)
	e.got.Store(false)
}

func (e *evidence) notSent() bool { return e.asked.Load() && !e.got.Load() }

// broken says what an error of the transport means. proof is nil for reads:
// what they did to the server is nothing either way.
func (x *execution) broken(ctx context.Context, err error, proof *evidence) result {
	r := result{err: err}
	if h, ended := x.cut(ctx); ended {
		r.happened = h
	} else {
		r.happened = kindOf(err)
	}
	if proof == nil {
		return r
	}
	switch {
	case proof.notSent():
		r.outcome = NotSent
		if r.happened == connectionBroke {
			r.happened = noConnection
		}
	case r.happened == noConnection, r.happened == identityRefused:
		r.outcome = Unknown // not proven: a round tripper with repeats of its own may have sent it before
	}
	return r
}

// kindOf reads an error that is neither the caller's nor our limit's.
func kindOf(err error) happening {
	switch code, isStream := streamErrorCode(err); {
	case isStream && code == refusedStream, isRefusedWithBody(err):
		return streamRefused
	case isStream:
		return connectionBroke
	case errors.Is(err, errProxy), isIdentityError(err):
		return identityRefused
	}
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns):
		return noConnection
	case errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect"):
		return noConnection
	case isHandshakeTimeout(err):
		return noConnection
	}
	return connectionBroke
}

// isIdentityError reports whether the TLS handshake failed over who is who:
// another attempt would fail alike.
func isIdentityError(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		authority    x509.UnknownAuthorityError
		host         x509.HostnameError
		certificate  x509.CertificateInvalidError
		record       tls.RecordHeaderError
	)
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &host) ||
		errors.As(err, &certificate) || errors.As(err, &record)
}

// isHandshakeTimeout knows net/http's error, which has no type to ask for.
func isHandshakeTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout() && timeout.Error() == "net/http: TLS handshake timeout"
}

// refusedStream is HTTP/2's REFUSED_STREAM: the server did not look at it.
const refusedStream = 0x7

// h2StreamError has the shape of net/http's bundled http2.StreamError, which
// fills it through its As method.
type h2StreamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (h2StreamError) Error() string { return "stream error" }

// streamErrorCode finds an HTTP/2 stream error without an import of x/net.
func streamErrorCode(err error) (code uint32, ok bool) {
	var bundled h2StreamError
	if errors.As(err, &bundled) {
		return bundled.Code, true
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if code, ok := looksLikeStreamError(err); ok {
			return code, true
		}
	}
	return 0, false
}

// isRefusedWithBody knows what net/http makes of REFUSED_STREAM for a request
// that has a body and no GetBody: a text, in which the stream error is gone.
func isRefusedWithBody(err error) bool {
	const start, end = "http2: Transport: cannot retry err [stream error: ", " after Request.Body was written; define Request.GetBody to avoid this error"
	for ; err != nil; err = errors.Unwrap(err) {
		if text := err.Error(); strings.HasPrefix(text, start) && strings.HasSuffix(text, end) {
			return strings.Contains(text, "; REFUSED_STREAM")
		}
	}
	return false
}

// looksLikeStreamError knows x/net's own http2.StreamError, which has no As.
func looksLikeStreamError(err error) (code uint32, ok bool) {
	v := reflect.Indirect(reflect.ValueOf(err))
	if v.Kind() != reflect.Struct || v.NumField() != 3 {
		return 0, false
	}
	id, number, cause := v.FieldByName("StreamID"), v.FieldByName("Code"), v.FieldByName("Cause")
	if !id.IsValid() || !number.IsValid() || !cause.IsValid() || !number.CanUint() {
		return 0, false
	}
	return uint32(number.Uint()), true
}
