package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// attempt sends the call once and reads what comes back.
func (c *Call) attempt(x *execution) result {
	if c.Live != nil {
		return c.attemptLive(x)
	}
	ctx := x.ctx
	if x.clock != byCaller {
		limited, cancel := context.WithDeadline(ctx, x.compartment.base.Add(x.compartment.now()+x.limit))
		defer cancel()
		ctx = limited
	}
	return c.exchange(ctx, x, nil)
}

// errAttemptCut ends the context of an attempt whose answer may be a stream.
var errAttemptCut = fmt.Errorf("attempt's time limit: %w", context.DeadlineExceeded)

// attemptLive is attempt for a call whose answer may be a stream: its context
// outlives the attempt, whose limit is a timer that stops at the headers.
func (c *Call) attemptLive(x *execution) result {
	ctx, cancel := context.WithCancelCause(x.ctx)
	life := &streamLife{cancel: cancel}
	defer func() {
		if !life.handedOut {
			cancel(nil)
		}
	}()
	if x.clock != byCaller {
		life.timer = time.AfterFunc(x.limit, func() { cancel(errAttemptCut) })
		defer life.timer.Stop()
	}
	return c.exchange(ctx, x, life)
}

// exchange makes one round trip, redirects included.
func (c *Call) exchange(ctx context.Context, x *execution, life *streamLife) result {
	ctx, proof := c.watch(ctx, x)
	for h := (hop{target: c.target}); ; {
		request, failure := c.newRequest(ctx, x, h)
		if failure.happened != 0 {
			return failure
		}
		if c.key.Value != "" && c.key.FirstSent.IsZero() {
			c.key.FirstSent, c.key.Host = time.Now(), c.target.Host
		}
		if proof != nil && h.number == 0 {
			proof.forget()
		}
		response, err := x.compartment.transport.RoundTrip(request)
		if err == nil && response == nil {
			err = errors.New("transport returned neither an answer nor an error")
		}
		if err != nil {
			if r := c.ownFault(request, err); r.happened != 0 && x.ctx.Err() == nil {
				return r
			}
			return x.broken(ctx, err, proof)
		}
		if response.Body == nil {
			response.Body = http.NoBody
		}
		next, followed := c.redirect(request, response)
		if !followed || h.number == maxRedirects {
			c.tellAnswer(response)
			c.to = request
			decodeContent(response)
			return c.read(ctx, x, response, life)
		}
		drain(response.Body)
		h = hop{target: next, number: h.number + 1, strayed: h.strayed || !sameOrigin(next, c.target)}
	}
}

// tellAnswer shows the answer to the hook. A panic there leaves no body open.
func (c *Call) tellAnswer(response *http.Response) {
	after := c.engine.config.AfterAttempt
	if after == nil {
		return
	}
	returned := false
	defer func() {
		if !returned {
			response.Body.Close()
		}
	}()
	after(response)
	returned = true
}

// newRequest makes the request of one attempt, its credentials last. Nothing
// in it is shared with the request of another attempt that may change.
func (c *Call) newRequest(ctx context.Context, x *execution, h hop) (*http.Request, result) {
	r := c.template.WithContext(ctx)
	if h.number > 0 {
		r.URL, r.Host = h.target, ""
	}
	config := &c.engine.config
	rule := &x.plan.policy.Deadline
	switch {
	case h.strayed:
		r.Header = harmless(r.Header)
	case c.Auth != nil || rule.Header != "" || config.BeforeAttempt != nil:
		r.Header = r.Header.Clone()
	}
	if rule.Header != "" && !h.strayed {
		if value := rule.value(x); value != "" {
			r.Header.Set(rule.Header, value)
		}
	}
	if config.BeforeAttempt != nil {
		if err := config.BeforeAttempt(r); err != nil {
			return nil, result{happened: badInput, err: fmt.Errorf("%w: BeforeAttempt: %w", ErrInput, err)}
		}
	}
	if err := c.setBody(r); err != nil {
		return nil, result{happened: badInput, err: fmt.Errorf("%w: open body: %w", ErrInput, err)}
	}
	if c.Auth == nil || h.strayed {
		hideKeys(r.Header)
		return r, result{}
	}
	if r.URL == c.target {
		own := *c.target // a credential may go into the query
		r.URL = &own
	}
	if err := c.authorize(ctx, r); err != nil {
		if ended := x.ctx.Err(); ended != nil {
			return nil, result{happened: callerHappening(ended), outcome: NotSent, err: ended}
		}
		return nil, result{happened: noCredentials, err: err}
	}
	hideKeys(r.Header)
	return r, result{}
}

// authorize adds the credential. Without one the request is not sent, so its
// body is closed, after a panic too.
func (c *Call) authorize(ctx context.Context, r *http.Request) error {
	done := false
	defer func() {
		if !done && r.Body != nil {
			r.Body.Close()
		}
	}()
	err := c.Auth.Authorize(ctx, r)
	done = err == nil
	return err
}

// hideKeys hides from net/http what it takes for an idempotency key, whoever
// put it there: it repeats such a request by itself, unseen by breaker, budget
// and count. It looks for the canonical spelling alone; on the wire it is the same.
func hideKeys(h http.Header) {
	if v, ok := h["Idempotency-Key"]; ok {
		delete(h, "Idempotency-Key")
		h["idempotency-key"] = v
	}
	if v, ok := h["X-Idempotency-Key"]; ok {
		delete(h, "X-Idempotency-Key")
		h["x-idempotency-key"] = v
	}
}

// setBody gives r a fresh reader. GetBody stays nil: net/http is not to send a
// write again by itself.
func (c *Call) setBody(r *http.Request) error {
	if c.Body.IsZero() {
		return nil
	}
	if c.Body.Size() == 0 {
		r.Body = http.NoBody
		return nil
	}
	body, err := c.Body.Open()
	if err != nil {
		return err
	}
	r.Body, r.ContentLength = body, c.Body.Size()
	if c.Body.kind != bytesBody { // net/http knows a reader of bytes, and writes it together with the headers
		r.Body = &contentReader{ReadCloser: body, size: c.Body.Size()}
	}
	return nil
}

// refresh asks the authorizer for another credential. Its error is taken as
// "no other": the 401 stands.
func (c *Call) refresh(ctx context.Context) bool {
	refresher, ok := c.Auth.(Refresher)
	if !ok || c.to == nil {
		return false
	}
	if x := &c.execution; x.end < noEnd && !x.callersEnd {
		limited, cancel := context.WithDeadline(ctx, x.compartment.at(x.end))
		defer cancel()
		ctx = limited
	}
	changed, err := refresher.Refresh(ctx, c.to)
	return err == nil && changed
}

// prepare checks what the caller gave and builds what all attempts share.
func (c *Call) prepare(p *Policy) error {
	switch {
	case c.Err != nil:
		return fmt.Errorf("%w: %w", ErrInput, c.Err)
	case c.config.err != nil:
		return c.config.err
	case c.URL == nil || c.URL.Host == "" || c.URL.Scheme != "http" && c.URL.Scheme != "https":
		return wordedf(ErrInput, "server is not usable; want an http or https URL with a host")
	}
	if c.Header == nil {
		c.Header = make(http.Header, 4)
	}
	for _, h := range c.config.header {
		c.Header.Set(h.name, h.value)
	}
	if _, ok := c.Header["User-Agent"]; !ok {
		c.Header["User-Agent"] = c.engine.userAgent
	}
	c.target = c.URL
	if err := c.placeKey(p); err != nil {
		return err
	}
	c.template = http.Request{
		Method: c.Method, URL: c.target, Host: c.target.Host, Header: c.Header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	return nil
}

// forbiddenHeader reports whether a header belongs to the engine or to net/http.
func forbiddenHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "host", "content-length", "transfer-encoding", "connection", "trailer", "upgrade", "te":
		return true
	default:
		return false
	}
}
