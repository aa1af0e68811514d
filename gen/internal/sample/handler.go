package sample

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// Handler answers every operation of the API with its first declared success,
// made from its schemas; a request that fits no operation gets 404. Paths are
// matched from the root, as they stand in the document.
func Handler(api *model.API, form Form) http.Handler {
	m := New(api)
	var routes []route
	for _, o := range api.Operations {
		routes = append(routes, newRoute(o))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		best := bestRoute(routes, r)
		if best == nil {
			http.NotFound(w, r)
			return
		}
		m.Write(w, best.operation, Success(best.operation), form)
	})
}

// Success is the answer that Handler gives for an operation: the first exact
// 2xx, else a range of them, else default; nil where none is declared.
func Success(o *model.Operation) *model.Response {
	var found *model.Response
	for _, r := range o.Responses {
		switch {
		case r.Success() && !r.Range:
			return r
		case r.Success():
			found = r
		case r.Default() && found == nil:
			found = r
		}
	}
	return found
}

// Write answers an operation with one of its declared answers: its headers, and
// a body of its first content. A nil answer is a 200 without a body.
func (m *Maker) Write(w http.ResponseWriter, o *model.Operation, r *model.Response, form Form) {
	status := http.StatusOK
	if r != nil && r.Status != 0 {
		status = r.Status
	}
	if r == nil {
		w.WriteHeader(status)
		return
	}
	for _, h := range r.Headers {
		if h.Required || form == Full {
			w.Header().Set(h.Wire, m.headerText(h, form))
		}
	}
	if len(r.Contents) == 0 || o.Method == http.MethodHead {
		w.WriteHeader(status)
		return
	}
	c := r.Contents[0]
	w.Header().Set("Content-Type", concrete(c))
	w.WriteHeader(status)
	if _, err := w.Write(m.Body(c, Answer, form)); err != nil {
		return // the caller has gone
	}
}

// Body is the bytes of a content. Forms have none: they are not answered.
func (m *Maker) Body(c *model.Content, side Side, form Form) []byte {
	switch c.Encoding {
	case model.JSON:
		return m.JSON(c.Type, side, form)
	case model.EventStream:
		event := "data: " + string(m.JSON(c.Type, side, form)) + "\n\n"
		return []byte(event + event)
	case model.JSONLines:
		line := string(m.JSON(c.Type, side, form)) + "\n"
		if strings.Contains(c.MediaType, "json-seq") {
			line = "\x1e" + line
		}
		return []byte(line + line)
	case model.Text:
		return []byte(m.plain(c.Type, side, form))
	case model.Binary, model.FormURL, model.Multipart:
		return []byte("sample")
	}
	panic(fmt.Sprintf("sample: encoding %d not handled", c.Encoding))
}

// plain is a scalar as its text.
func (m *Maker) plain(t *model.Type, side Side, form Form) string {
	if t == nil {
		return "sample"
	}
	s := string(m.JSON(t, side, form))
	if strings.HasPrefix(s, `"`) {
		return strings.ReplaceAll(strings.Trim(s, `"`), `\"`, `"`)
	}
	return s
}

// headerText is a header's value in simple style.
func (m *Maker) headerText(h *model.Param, form Form) string {
	t := h.Type
	for t.Kind == model.Alias {
		t = t.Elem
	}
	if t.Kind == model.List {
		return m.plain(t.Elem, Answer, form)
	}
	if t.Nullable {
		bare := *t
		bare.Nullable = false
		t = &bare
	}
	return m.plain(t, Answer, form)
}

// concrete is a media type without wildcards.
func concrete(c *model.Content) string {
	media := c.MediaType
	switch {
	case !strings.Contains(media, "*"):
		return media
	case c.Encoding == model.JSON:
		return "application/json"
	case c.Encoding == model.Text:
		return "text/plain"
	case strings.HasPrefix(media, "image/"):
		return "image/png"
	}
	return "application/octet-stream"
}

// A route is an operation's path as an expression.
type route struct {
	operation *model.Operation
	path      *regexp.Regexp
	literal   int // bytes of literal text: more of it is a better match
}

func newRoute(o *model.Operation) route {
	var b strings.Builder
	r := route{operation: o}
	b.WriteString("^")
	for _, s := range o.Segments {
		switch {
		case s.Param == nil:
			b.WriteString(regexp.QuoteMeta(s.Literal))
			r.literal += len(s.Literal)
		case s.Param.SeveralSegments:
			b.WriteString(".*")
		default:
			b.WriteString("[^/]*")
		}
	}
	r.path = regexp.MustCompile(b.String() + "$")
	return r
}

// bestRoute is the route with the most literal text that fits the request; one
// with a fixed query only where the request has it.
func bestRoute(routes []route, r *http.Request) *route {
	var best *route
	score := -1
	for i := range routes {
		o := routes[i].operation
		if o.Method != r.Method || !routes[i].path.MatchString(r.URL.EscapedPath()) {
			continue
		}
		s := routes[i].literal
		if o.FixedQuery != "" {
			if !strings.Contains("&"+r.URL.RawQuery+"&", "&"+o.FixedQuery+"&") {
				continue
			}
			s += len(o.FixedQuery)
		}
		if s > score {
			best, score = &routes[i], s
		}
	}
	return best
}
