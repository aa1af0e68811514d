package wire

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A Server is where requests go. It is made by [NewServer] or [BaseURL] when
// the client is made. One that cannot be used, the zero Server among them,
// ends each call to it as class input.
type Server struct{ base *serverBase }

type serverBase struct {
	scheme, host string
	path         string // escaped, without a slash at its end
	err          error
}

// A ServerURL is one entry of the spec's servers, with the values that the
// caller chose.
type ServerURL struct {
	URL       string // as in the spec: absolute, relative, with {variables}
	Variables []ServerVariable
}

// A ServerVariable is a variable of a server URL.
type ServerVariable struct {
	Name    string
	Value   string   // the caller's; empty: Default
	Default string   // used as it is, even where Enum does not list it
	Given   bool     // the spec has no default: the caller must give Value
	Enum    []string // what Value may be; empty: anything
}

// NewServer fills u's variables. A relative URL is resolved against document:
// the URL that the spec was read from, or one that the caller gave for it.
func NewServer(u ServerURL, document string) Server {
	filled, err := u.fill()
	if err != nil {
		return Server{&serverBase{err: err}}
	}
	ref, err := url.Parse(filled)
	if err != nil {
		return Server{&serverBase{err: fmt.Errorf("server URL %q cannot be read; want one such as https://host/path", filled)}}
	}
	if ref.IsAbs() {
		return serverOf(ref, "server")
	}
	if document == "" {
		return Server{&serverBase{err: fmt.Errorf("server URL %q is relative to the document; set a base URL", filled)}}
	}
	doc, err := url.Parse(document)
	if err != nil || !doc.IsAbs() {
		return Server{&serverBase{err: fmt.Errorf("document URL %q is not absolute; want one such as https://host/openapi.yaml", document)}}
	}
	return serverOf(doc.ResolveReference(ref), "server")
}

// BaseURL makes a Server of a URL that the caller gave in place of the spec's.
func BaseURL(base string) Server {
	u, err := url.Parse(base)
	if err != nil {
		return Server{&serverBase{err: fmt.Errorf("base URL cannot be read; want one such as https://host/path")}}
	}
	return serverOf(u, "base")
}

// Err reports why the server cannot be used, or nil.
func (s Server) Err() error {
	if s.base == nil {
		return errors.New("no server is set")
	}
	return s.base.err
}

func serverOf(u *url.URL, kind string) Server {
	bad := func(format string, args ...any) Server {
		return Server{&serverBase{err: fmt.Errorf(kind+" URL "+format, args...)}}
	}
	switch {
	case u.User != nil:
		return bad("holds credentials; give them as the client's credentials")
	case u.Scheme != "http" && u.Scheme != "https":
		return bad("%q has the scheme %q; want http or https", u, u.Scheme)
	case u.Host == "" || u.Opaque != "":
		return bad("%q names no host; want one such as https://host/path", u)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return bad("%q has a query or a fragment; want scheme, host and path alone", u)
	}
	written := u.RawPath // as it was given, where that tells more than Path
	if written == "" {
		written = u.EscapedPath()
	}
	path := escaping{keep: &pathLiteral, triples: true}.appendTo(nil, written)
	return Server{&serverBase{scheme: u.Scheme, host: u.Host, path: strings.TrimRight(string(path), "/")}}
}

// fill puts the variables in.
func (u ServerURL) fill() (string, error) {
	var b strings.Builder
	for rest := u.URL; ; {
		before, after, open := strings.Cut(rest, "{")
		name, next, closed := strings.Cut(after, "}")
		if !open || !closed {
			b.WriteString(rest)
			return b.String(), nil
		}
		b.WriteString(before)
		value, err := u.value(name)
		if err != nil {
			return "", err
		}
		if _, authority, ok := strings.Cut(b.String(), "//"); ok && !strings.Contains(authority, "/") && strings.Contains(value, "/") {
			return "", fmt.Errorf("server variable %s is %q; want no slash, it stands in the host", name, value)
		}
		b.WriteString(value)
		rest = next
	}
}

// value is what a variable stands for.
func (u ServerURL) value(name string) (string, error) {
	i := slices.IndexFunc(u.Variables, func(v ServerVariable) bool { return v.Name == name })
	if i < 0 {
		return "", fmt.Errorf("server URL %s has a variable %q that is not declared; set a base URL", u.URL, name)
	}
	v := u.Variables[i]
	switch {
	case v.Value == "" && v.Given:
		return "", fmt.Errorf("server variable %s is not set and has no default; set it, or a base URL", name)
	case v.Value == "":
		return v.Default, nil
	case len(v.Enum) > 0 && !slices.Contains(v.Enum, v.Value):
		return "", fmt.Errorf("server variable %s is %q; want one of %s", name, v.Value, strings.Join(v.Enum, ", "))
	case strings.ContainsAny(v.Value, "?#@\\{} \t\r\n"):
		return "", fmt.Errorf("server variable %s is %q; want a part of a host or a path", name, v.Value)
	default:
		return v.Value, nil
	}
}
