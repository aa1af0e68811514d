package runtime

import (
	"context"
	"net/http"
)

// An Authorizer adds a credential to a request. It is called once an attempt,
// after everything else is in place, so that signatures can cover all of it
// and hold a time; and where answers are kept or shared by credential, once
// more on a request that is not sent, to tell whose they are. It must be safe
// for concurrent use. Its errors are class auth: nothing is sent.
type Authorizer interface {
	Authorize(ctx context.Context, r *http.Request) error
}

// A Refresher is an Authorizer that can get another credential after the
// server refused one with 401. Refresh is told the request that was refused
// and says whether the next Authorize will use another credential.
type Refresher interface {
	Authorizer
	Refresh(ctx context.Context, refused *http.Request) (changed bool, err error)
}

// A TokenSource gives the secret of a bearer, OAuth2, OpenID or API key
// scheme. It is asked once an attempt and must be safe for concurrent use:
// keep the token until it is about to expire. A source that also has
//
//	Refresh(ctx context.Context, refused string) error
//
// is told once a call when the server refused its token with 401.
type TokenSource interface {
	Token(ctx context.Context) (string, error)
}

// A TokenRefresher is a [TokenSource] that can renew a refused token.
type TokenRefresher interface {
	TokenSource
	Refresh(ctx context.Context, refused string) error
}

// A TokenFunc is a [TokenSource] made from a function.
type TokenFunc func(ctx context.Context) (string, error)

// Token calls f.
func (f TokenFunc) Token(ctx context.Context) (string, error) { return f(ctx) }

// A StaticToken is a [TokenSource] that never changes. It prints as "[token]".
type StaticToken string

// Token returns the token itself.
func (t StaticToken) Token(context.Context) (string, error) { return string(t), nil }

// String hides the token.
func (t StaticToken) String() string { return "[token]" }

// GoString hides the token.
func (t StaticToken) GoString() string { return "[token]" }

// A BasicSource gives the user name and password of a basic scheme.
type BasicSource interface {
	Basic(ctx context.Context) (user, password string, err error)
}

// BasicCredentials is a [BasicSource] that never changes. It prints without its password.
type BasicCredentials struct {
	User     string
	Password string
}

// Basic returns the two fields.
func (c BasicCredentials) Basic(context.Context) (user, password string, err error) {
	return c.User, c.Password, nil
}

// String hides the password.
func (c BasicCredentials) String() string { return c.User + ":[password]" }

// GoString hides the password.
func (c BasicCredentials) GoString() string { return c.String() }
