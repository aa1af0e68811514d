package runtime

import (
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects bounds the redirects of one attempt, as net/http does.
const maxRedirects = 10

// A hop is one request of an attempt: the first, or one that a redirect asks for.
type hop struct {
	target  *url.URL
	number  int  // 0 is the first
	strayed bool // another host was on the way: from there on credentials and key stay behind, even on the way back
}

// redirect says where an answer sends the request to, and whether it may go
// there. A write never becomes a GET, and nothing that writes or has a body
// goes to another host.
func (c *Call) redirect(r *http.Request, answer *http.Response) (*url.URL, bool) {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return nil, false
		}
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, false
	}
	location, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || answer.Header.Get("Location") == "" {
		return nil, false
	}
	to := r.URL.ResolveReference(location)
	if to.Host == "" || to.Scheme != "http" && to.Scheme != "https" || to.User != nil {
		return nil, false
	}
	if !sameOrigin(to, c.target) && (r.Method != http.MethodGet && r.Method != http.MethodHead || !c.Body.IsZero()) {
		return nil, false
	}
	if !c.Body.IsZero() && !c.Body.Replayable() {
		return nil, false
	}
	return to, true
}

// sameOrigin compares scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case u.Scheme == "https":
		return "443"
	default:
		return "80"
	}
}

// harmless keeps the headers that another host may see.
func harmless(h http.Header) http.Header {
	kept := make(http.Header, 3)
	for _, name := range []string{"Accept", "Accept-Language", "User-Agent"} {
		if v, ok := h[name]; ok {
			kept[name] = v
		}
	}
	return kept
}
