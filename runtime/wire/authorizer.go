package wire

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"

	rt "github.com/resgen-dev/resgen/runtime"
)

// A tokenPlace is where a token goes.
type tokenPlace struct {
	kind tokenKind
	name string
}

type tokenKind uint8

const (
	_ tokenKind = iota
	inBearer
	inHeader
	inQuery
	inCookie
)

// check refuses a token that would change the request. It names no part of it.
func (p tokenPlace) check(token string) error {
	if token == "" {
		return errors.New("token is empty")
	}
	if p.kind == inQuery {
		return checkText(token)
	}
	if p.kind == inCookie && strings.ContainsAny(token, ";, \"\\") {
		return errors.New("token holds a character that a cookie cannot: one of space ; , \" \\")
	}
	if checkFieldValue(token) != nil {
		return errors.New("token holds a line break, a control character or a space at an end; a header cannot")
	}
	return nil
}

func (p tokenPlace) put(r *http.Request, token string) {
	switch p.kind {
	case inBearer:
		r.Header["Authorization"] = []string{"Bearer " + token}
	case inHeader:
		r.Header[textproto.CanonicalMIMEHeaderKey(p.name)] = []string{token}
	case inCookie:
		cookie := p.name + "=" + token
		if before := r.Header.Get("Cookie"); before != "" {
			cookie = before + "; " + cookie
		}
		r.Header["Cookie"] = []string{cookie}
	case inQuery:
		u := *r.URL // other attempts share it
		query := pairs{medium: &queryMedium, buf: []byte(u.RawQuery)}
		query.begin(p.name)
		query.buf = escaping{keep: &unreserved}.appendTo(query.buf, token)
		u.RawQuery = string(query.buf)
		r.URL = &u
	default:
		panic(fmt.Sprintf("wire: token place %d not handled", p.kind))
	}
}

// taken is the token that put gave the request.
func (p tokenPlace) taken(r *http.Request) string {
	switch p.kind {
	case inBearer:
		return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	case inHeader:
		return r.Header.Get(p.name)
	case inCookie:
		if c, err := r.Cookie(p.name); err == nil {
			return c.Value
		}
		return ""
	case inQuery:
		for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
			name, value, _ := strings.Cut(pair, "=")
			if name, err := url.QueryUnescape(name); err == nil && name == p.name {
				value, _ = url.QueryUnescape(value) // ours: it can be unescaped
				return value
			}
		}
		return ""
	default:
		panic(fmt.Sprintf("wire: token place %d not handled", p.kind))
	}
}

// A tokenAuthorizer puts a source's token in its place.
type tokenAuthorizer struct {
	source rt.TokenSource
	place  tokenPlace
}

// Authorize asks the source for the token.
func (t tokenAuthorizer) Authorize(ctx context.Context, r *http.Request) error {
	token, err := t.source.Token(ctx)
	if err != nil {
		return err
	}
	if err := t.place.check(token); err != nil {
		return err
	}
	t.place.put(r, token)
	return nil
}

// A refreshingAuthorizer can get another token.
type refreshingAuthorizer struct {
	tokenAuthorizer
	refresher rt.TokenRefresher
}

// Refresh has the token renewed and says whether another came of it. Where the
// source has another one already, another call was quicker: of many calls that
// are refused with the same token, those that come later renew nothing.
func (t refreshingAuthorizer) Refresh(ctx context.Context, refused *http.Request) (bool, error) {
	old := t.place.taken(refused)
	if current, err := t.source.Token(ctx); err == nil && current != old {
		return true, nil
	}
	if err := t.refresher.Refresh(ctx, old); err != nil {
		return false, err
	}
	renewed, err := t.source.Token(ctx)
	return renewed != old, err
}

// A basicAuthorizer sends user name and password.
type basicAuthorizer struct{ source rt.BasicSource }

// Authorize asks the source for both.
func (b basicAuthorizer) Authorize(ctx context.Context, r *http.Request) error {
	user, password, err := b.source.Basic(ctx)
	if err != nil {
		return err
	}
	if err := checkBasic(user, password); err != nil {
		return err
	}
	r.Header["Authorization"] = []string{"Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))}
	return nil
}

// checkBasic refuses what the scheme cannot carry.
func checkBasic(user, password string) error {
	if strings.Contains(user, ":") {
		return errors.New("user name holds a colon; the basic scheme would read what follows as the password")
	}
	if checkCookieText(user) != nil || checkCookieText(password) != nil {
		return errors.New("user name or password holds a control character or is not UTF-8; the basic scheme cannot carry it")
	}
	return nil
}

// authorizers are applied one after the other.
type authorizers []rt.Authorizer

// Authorize applies each.
func (as authorizers) Authorize(ctx context.Context, r *http.Request) error {
	for _, a := range as {
		if err := a.Authorize(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// Refresh renews those that can be, and says whether any was.
func (as authorizers) Refresh(ctx context.Context, refused *http.Request) (bool, error) {
	changed := false
	for _, a := range as {
		if r, ok := a.(rt.Refresher); ok {
			one, err := r.Refresh(ctx, refused)
			if err != nil {
				return false, err
			}
			changed = changed || one
		}
	}
	return changed, nil
}
