package cases

import (
	"encoding/json"
	"fmt"
	"mime"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/cases/drive"
	"github.com/resgen-dev/resgen/gen/internal/golang"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// script translates a call into what the driver does, by the client's table of
// names.
func script(e *Expectation, c Call, t golang.Table) (drive.Call, error) {
	op, ok := operation(t, c.Op)
	if !ok {
		return drive.Call{}, fmt.Errorf("the client has no operation %s", c.Op)
	}
	out := drive.Call{
		Operation: op.ID,
		Key:       op.Key,
		BaseURL:   c.Sends == nil || c.Sends.URL == "",
		Document:  e.DocURL,
	}
	if c.Server != nil || e.DocURL != "" {
		out.BaseURL = false // the case is about servers
	}
	for place, args := range c.Args {
		for _, name := range sortedKeys(args) {
			p, ok := parameter(op, place, name)
			if !ok {
				return out, fmt.Errorf("%s has no parameter %s in %s", c.Op, name, place)
			}
			out.Fields = append(out.Fields, drive.FieldValue{Field: p.Field, JSON: args[name]})
		}
	}
	if c.Body != nil {
		body, err := body(op, c.Body)
		if err != nil {
			return out, fmt.Errorf("%s: %w", c.Op, err)
		}
		out.Body = body
		given, err := partHeaders(op, c.Body)
		if err != nil {
			return out, fmt.Errorf("%s: %w", c.Op, err)
		}
		out.Fields = append(out.Fields, given...)
	}
	for _, scheme := range sortedKeys(c.Auth) {
		cred, err := credential(t, scheme, c.Auth[scheme])
		if err != nil {
			return out, err
		}
		out.Auth = append(out.Auth, cred)
	}
	if c.Server != nil {
		s, err := chosenServer(t, op, c.Server)
		if err != nil {
			return out, err
		}
		out.Server = s
	}
	var err error
	out.Answer, err = answer(c.Answer)
	if c.Gets != nil && len(c.Gets.Headers) > 0 {
		out.Headers = headerReader(op, out.Answer.Status)
	}
	return out, err
}

// operation finds an operation by its id, or by METHOD /template.
func operation(t golang.Table, id string) (golang.OperationNames, bool) {
	for _, op := range t.Operations {
		if op.ID == id || op.HTTPMethod+" "+op.Path == id {
			return op, true
		}
	}
	return golang.OperationNames{}, false
}

func parameter(op golang.OperationNames, place, name string) (golang.ParamNames, bool) {
	in := map[string]model.In{"path": model.InPath, "query": model.InQuery, "header": model.InHeader, "cookie": model.InCookie}[place]
	for _, p := range op.Params {
		if p.In == in && (p.Wire == name || in == model.InHeader && strings.EqualFold(p.Wire, name)) {
			return p, true
		}
	}
	return golang.ParamNames{}, false
}

// body picks the content of a media type and says what goes into it.
func body(op golang.OperationNames, c *Content) (*drive.Body, error) {
	want := essence(c.Type)
	var at *golang.BodyNames
	for i, b := range op.Bodies {
		switch declared := essence(b.MediaType); {
		case at != nil && at.MediaType == c.Type:
		case declared == want:
			at = &op.Bodies[i]
		case at == nil && matchesRange(declared, want):
			at = &op.Bodies[i]
		}
	}
	if at == nil {
		return nil, fmt.Errorf("no body of type %s among %v", c.Type, op.Bodies)
	}
	out := &drive.Body{Field: at.Field, Type: c.Type, JSON: c.JSON, Text: c.Text}
	if c.Form != nil {
		out.JSON = c.Form
	}
	if c.Base64 != nil {
		b, err := decode64(*c.Base64)
		if err != nil {
			return nil, err
		}
		out.Bytes = append([]byte{}, b...)
	}
	for _, p := range c.Parts {
		part := drive.Part{Name: p.Name, Filename: p.Filename, Type: p.Type, JSON: p.JSON, Text: p.Text}
		if p.Base64 != nil {
			b, err := decode64(*p.Base64)
			if err != nil {
				return nil, err
			}
			part.Bytes = append([]byte{}, b...)
		}
		out.Parts = append(out.Parts, part)
	}
	if at.Encoding == model.Binary && c.JSON != nil {
		out.JSON, out.Bytes = nil, c.JSON
	}
	return out, nil
}

// partHeaders are the fields of the request that hold the headers of parts.
func partHeaders(op golang.OperationNames, c *Content) (out []drive.FieldValue, err error) {
	for _, part := range c.Parts {
		for _, name := range sortedKeys(part.Headers) {
			field := ""
			for _, b := range op.Bodies {
				for _, h := range b.Headers {
					if h.Part == part.Name && strings.EqualFold(h.Wire, name) && essence(b.MediaType) == essence(c.Type) {
						field = h.Field
					}
				}
			}
			if field == "" {
				return nil, fmt.Errorf("part %s has no header %s", part.Name, name)
			}
			out = append(out, drive.FieldValue{Field: field, JSON: part.Headers[name]})
		}
	}
	return out, nil
}

func essence(mediaType string) string {
	base, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

// matchesRange reports whether a declared range such as image/* covers a type.
func matchesRange(declared, want string) bool {
	prefix, ok := strings.CutSuffix(declared, "*")
	return ok && (prefix == "*/" || strings.HasPrefix(want, prefix))
}

func credential(t golang.Table, scheme string, raw json.RawMessage) (drive.Credential, error) {
	for _, s := range t.Schemes {
		if s.Wire != scheme {
			continue
		}
		if s.Kind == model.Basic {
			var basic struct{ User, Password string }
			if err := json.Unmarshal(raw, &basic); err != nil {
				return drive.Credential{}, fmt.Errorf("auth %s: %w", scheme, err)
			}
			return drive.Credential{Field: s.Field, Basic: true, User: basic.User, Password: basic.Password}, nil
		}
		var token string
		if err := json.Unmarshal(raw, &token); err != nil {
			return drive.Credential{}, fmt.Errorf("auth %s: %w", scheme, err)
		}
		return drive.Credential{Field: s.Field, Token: token}, nil
	}
	return drive.Credential{}, fmt.Errorf("the client has no security scheme %s", scheme)
}

func chosenServer(t golang.Table, op golang.OperationNames, s *Server) (*drive.Server, error) {
	servers := op.Servers
	if len(servers) == 0 {
		servers = t.Servers
	}
	i := 0
	if s.Index != nil {
		i = *s.Index
	}
	if i >= len(servers) {
		return nil, fmt.Errorf("server %d of %d", i, len(servers))
	}
	if servers[i].Type == "" && len(s.Vars) == 0 {
		return nil, nil // the only one
	}
	out := &drive.Server{Type: servers[i].Type, Fields: map[string]string{}}
	for wire, value := range s.Vars {
		found := false
		for _, v := range servers[i].Variables {
			if v.Wire == wire {
				out.Fields[v.Field], found = value, true
			}
		}
		if !found {
			return nil, fmt.Errorf("server %s has no variable %s", servers[i].URL, wire)
		}
	}
	return out, nil
}

func answer(a *Answer) (drive.Answer, error) {
	if a == nil {
		return drive.Answer{Status: 204}, nil
	}
	out := drive.Answer{Status: a.Status, Header: map[string][]string{}}
	for name, lines := range a.Headers {
		out.Header[name] = lines
	}
	contentType := func(value string) {
		for name := range out.Header {
			if strings.EqualFold(name, "Content-Type") {
				return
			}
		}
		out.Header["Content-Type"] = []string{value}
	}
	switch {
	case a.JSON != nil:
		contentType("application/json")
		out.Body = a.JSON
	case a.Text != nil:
		out.Body = []byte(*a.Text)
	case a.Base64 != nil:
		b, err := decode64(*a.Base64)
		if err != nil {
			return out, err
		}
		out.Body = append([]byte{}, b...)
	}
	for _, chunk := range a.Chunks {
		out.Chunks = append(out.Chunks, []byte(chunk))
	}
	if a.Then != nil {
		then, err := answer(a.Then)
		out.Then = &then
		return out, err
	}
	return out, nil
}

// headerReader is the reader of the headers that are declared for a status:
// exactly, by range, by default.
func headerReader(op golang.OperationNames, status int) string {
	best, rank := "", 0
	for _, h := range op.Headers {
		r := 0
		switch {
		case h.Status == status && !h.Range:
			r = 3
		case h.Range && h.Status/100 == status/100:
			r = 2
		case h.Status == 0:
			r = 1
		}
		if r > rank {
			best, rank = h.Func, r
		}
	}
	return best
}

// multipartBoundary is the boundary of a Content-Type, or empty.
func multipartBoundary(contentType string) string {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return params["boundary"]
}
