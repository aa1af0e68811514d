package wire

import (
	"fmt"
	"slices"
	"strings"

	rt "github.com/resgen-dev/resgen/runtime"
)

// A Credential is what the caller gave for one security scheme, or nothing.
type Credential struct {
	scheme string
	given  bool
	apply  rt.Authorizer // nil: there is nothing to add
	last   bool          // it may sign what the others add
	err    error         // found before it is asked: it can never be sent
}

// Bearer is the credential of a bearer, OAuth2 or OpenID scheme. A nil source,
// and an empty [rt.StaticToken], gives nothing.
func Bearer(scheme string, source rt.TokenSource) Credential {
	return tokenCredential(scheme, source, tokenPlace{kind: inBearer})
}

// HeaderKey is the credential of an API key in a header, and of HTTP schemes
// of which the caller gives the whole Authorization header.
func HeaderKey(scheme, name string, source rt.TokenSource) Credential {
	return tokenCredential(scheme, source, tokenPlace{kind: inHeader, name: name})
}

// QueryKey is the credential of an API key in the query.
func QueryKey(scheme, name string, source rt.TokenSource) Credential {
	return tokenCredential(scheme, source, tokenPlace{kind: inQuery, name: name})
}

// CookieKey is the credential of an API key in a cookie.
func CookieKey(scheme, name string, source rt.TokenSource) Credential {
	return tokenCredential(scheme, source, tokenPlace{kind: inCookie, name: name})
}

// Basic is the credential of a basic scheme. A nil source, and an empty
// [rt.BasicCredentials], gives nothing.
func Basic(scheme string, source rt.BasicSource) Credential {
	c := Credential{scheme: scheme, given: source != nil, apply: basicAuthorizer{source}}
	switch fixed := source.(type) {
	case rt.BasicCredentials:
		c.given, c.err = fixed != rt.BasicCredentials{}, checkBasic(fixed.User, fixed.Password)
	case *rt.BasicCredentials:
		c.given = fixed != nil && *fixed != rt.BasicCredentials{}
	}
	return c
}

// Custom is the credential of a scheme that the caller applies: signatures and
// the like. It is applied after all others. A nil authorizer gives nothing.
func Custom(scheme string, a rt.Authorizer) Credential {
	return Credential{scheme: scheme, given: a != nil, apply: a, last: true}
}

// Transport is the credential of a scheme that the connection itself shows
// (mutualTLS): it is always there.
func Transport(scheme string) Credential { return Credential{scheme: scheme, given: true} }

func tokenCredential(scheme string, source rt.TokenSource, place tokenPlace) Credential {
	c := Credential{scheme: scheme, given: source != nil, apply: tokenAuthorizer{source, place}}
	if fixed, ok := source.(rt.StaticToken); ok {
		c.given, c.err = fixed != "", place.check(string(fixed))
	}
	if r, ok := source.(rt.TokenRefresher); ok {
		c.apply = refreshingAuthorizer{tokenAuthorizer{source, place}, r}
	}
	return c
}

// An Auth is how an operation shows who calls, chosen when the client is made.
// The zero Auth shows nothing.
type Auth struct {
	apply rt.Authorizer // nil: nothing is added
	err   error         // no alternative can be used
}

// Err reports why the operation cannot be called, or nil.
func (a Auth) Err() error { return a.err }

// Require chooses the first alternative of which the caller gave every
// credential; an alternative is what is sent together. An empty one, wherever
// it stands, is chosen only if no other can be. Without a usable one every
// call ends as class input, and its error names what is missing.
//
//	wire.Require([]wire.Credential{headerKey, queryKey}, []wire.Credential{oauth})
func Require(alternatives ...[]Credential) Auth {
	optional := len(alternatives) == 0
	for _, all := range alternatives {
		if len(all) == 0 {
			optional = true
			continue
		}
		if !slices.ContainsFunc(all, func(c Credential) bool { return !c.given }) {
			return together(all)
		}
	}
	if optional {
		return Auth{}
	}
	return Auth{err: fmt.Errorf("no credentials for the operation; give the client those of %s", wanted(alternatives))}
}

// wanted names the schemes of the alternatives.
func wanted(alternatives [][]Credential) string {
	var names []string
	for _, all := range alternatives {
		var schemes []string
		for _, c := range all {
			schemes = append(schemes, c.scheme)
		}
		names = append(names, strings.Join(schemes, " and "))
	}
	return strings.Join(names, ", or of ")
}

// together makes one authorizer of what is sent together.
func together(all []Credential) Auth {
	var first, last []rt.Authorizer
	for _, c := range all {
		switch {
		case c.err != nil:
			return Auth{err: fmt.Errorf("credential %s: %w", c.scheme, c.err)}
		case c.apply == nil: // the connection shows it
		case c.last:
			last = append(last, c.apply)
		default:
			first = append(first, c.apply)
		}
	}
	switch each := append(first, last...); len(each) {
	case 0:
		return Auth{}
	case 1:
		return Auth{apply: each[0]}
	default:
		return Auth{apply: authorizers(each)}
	}
}
