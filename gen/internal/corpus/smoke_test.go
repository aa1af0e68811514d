//go:build corpus

package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/cases"
	"github.com/resgen-dev/resgen/gen/internal/cases/drive"
	"github.com/resgen-dev/resgen/gen/internal/golang"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/sample"
)

// call calls every operation with arguments made from its schemas, against a
// server that answers from them, and compares what comes back.
func (r *result) call(ctx context.Context, module *cases.Module, pkg string, c *cases.Client) {
	maker := sample.New(c.Plan.API)
	var s drive.Script
	var answers []*httptest.ResponseRecorder
	names := map[string]golang.OperationNames{}
	for _, op := range c.Table.Operations {
		names[op.ID] = op
	}
	for _, op := range c.Plan.API.Operations {
		n, ok := names[op.ID]
		if !ok {
			r.wrong = append(r.wrong, "the client lacks operation "+op.ID)
			continue
		}
		call := drive.Call{Operation: op.ID, BaseURL: true, Key: n.Key}
		for _, scheme := range c.Table.Schemes {
			call.Auth = append(call.Auth, drive.Credential{Field: scheme.Field, Token: "t", Basic: scheme.Kind == model.Basic, User: "u", Password: "p"})
		}
		call.Fields = arguments(maker, op, n)
		call.Body = body(maker, op, n)
		answer := httptest.NewRecorder()
		maker.Write(answer, op, sample.Success(op), sample.Full)
		for _, own := range []string{"Transfer-Encoding", "Content-Length", "Connection", "Trailer", "Upgrade"} {
			answer.Header().Del(own) // the connection's own, not the handler's, though specs declare them
		}
		call.Answer = drive.Answer{Status: answer.Code, Header: answer.Header(), Body: answer.Body.Bytes()}
		if moves(op) {
			file := call.Answer
			call.Answer = drive.Answer{Status: http.StatusFound, Header: map[string][]string{"Location": {"https://files.invalid/file"}}, Then: &file}
		}
		s.Calls = append(s.Calls, call)
		answers = append(answers, answer)
	}
	streams := addStreams(maker, c.Plan.API.Operations, &s)
	report, err := module.Drive(ctx, pkg, s)
	if err != nil {
		r.wrong = append(r.wrong, "driver: "+err.Error())
		return
	}
	for i, o := range report.Calls[len(answers):] {
		if w := streams[i].judge(o); w != "" {
			r.wrong = append(r.wrong, s.Calls[len(answers)+i].Operation+", streamed: "+w)
		}
	}
	for i, o := range report.Calls[:len(answers)] {
		r.called++
		if w := judge(names[s.Calls[i].Operation], o, answers[i]); w != "" {
			r.wrong = append(r.wrong, s.Calls[i].Operation+": "+w)
		}
	}
}

// moves reports whether an operation leads to its success by a redirect that
// it declares instead.
func moves(op *model.Operation) bool {
	success := sample.Success(op)
	return success != nil && success.Assumed && slices.ContainsFunc(op.Responses, func(r *model.Response) bool { return r.Status == http.StatusFound && !r.Redirect })
}

// A stream is the events that an operation is answered with.
type stream struct {
	data  [][]byte
	lines bool // JSON lines rather than server-sent events
}

// addStreams calls each operation that can answer with a stream once more, with
// two events of its schema, sent one by one.
func addStreams(maker *sample.Maker, ops []*model.Operation, s *drive.Script) []stream {
	var out []stream
	for i, op := range ops {
		answer := sample.Success(op)
		if answer == nil {
			continue
		}
		for _, c := range answer.Contents {
			if c.Type == nil || c.Encoding != model.EventStream && c.Encoding != model.JSONLines {
				continue
			}
			st := stream{lines: c.Encoding == model.JSONLines}
			call := s.Calls[i]
			call.Answer = drive.Answer{Status: max(answer.Status, http.StatusOK), Header: map[string][]string{"Content-Type": {c.MediaType}}}
			for _, form := range []sample.Form{sample.Minimal, sample.Full} {
				data := maker.JSON(c.Type, sample.Answer, form)
				st.data = append(st.data, data)
				chunk := "event: sample\ndata: " + string(data) + "\n\n"
				if st.lines {
					chunk = string(data) + "\n"
				}
				call.Answer.Chunks = append(call.Answer.Chunks, []byte(chunk))
			}
			s.Calls = append(s.Calls, call)
			out = append(out, st)
		}
	}
	return out
}

// judge says what is wrong with what was read of a stream, or nothing.
func (st stream) judge(o drive.Observation) string {
	if !o.OK || o.Setup != "" {
		return o.Setup + o.Class + ": " + o.Error
	}
	if len(o.Events) != len(st.data) {
		return fmt.Sprintf("%d events came, want %d", len(o.Events), len(st.data))
	}
	for i, e := range o.Events {
		if d := cases.DiffersJSON(st.data[i], e.Data); d != "" {
			return fmt.Sprintf("event %d: %s", i, d)
		}
	}
	return ""
}

func arguments(maker *sample.Maker, op *model.Operation, n golang.OperationNames) []drive.FieldValue {
	var out []drive.FieldValue
	for _, p := range op.Params {
		for _, pn := range n.Params {
			if pn.In == p.In && pn.Wire == p.Wire {
				out = append(out, drive.FieldValue{Field: pn.Field, JSON: maker.JSON(p.Type, sample.Request, sample.Full)})
			}
		}
	}
	return out
}

func body(maker *sample.Maker, op *model.Operation, n golang.OperationNames) *drive.Body {
	if op.Body == nil || len(n.Bodies) == 0 {
		return nil
	}
	content, at := op.Body.Contents[0], n.Bodies[0]
	for i, c := range op.Body.Contents {
		// A schema that a form shares with JSON may hold files, which JSON cannot.
		if c.Encoding == model.Multipart || c.MediaType == at.MediaType && content.Encoding != model.Multipart {
			content = c
			if i < len(n.Bodies) && c.Encoding == model.Multipart {
				at = n.Bodies[i]
			}
		}
	}
	b := &drive.Body{Field: at.Field, Type: content.MediaType}
	switch content.Encoding {
	case model.Multipart:
		if content.Fields == nil {
			b.JSON = maker.JSON(content.Type, sample.Request, sample.Full)
			return b
		}
		b.Parts = []drive.Part{}
		for _, f := range content.Fields {
			typ := f.Field.Type
			if f.Repeat {
				typ = element(typ)
			}
			part := drive.Part{Name: f.Field.Wire}
			if f.File {
				name := "sample.bin"
				part.Filename, part.Bytes = &name, []byte("bytes")
			} else {
				part.JSON = maker.JSON(typ, sample.Request, sample.Full)
			}
			b.Parts = append(b.Parts, part)
		}
	case model.Text:
		text := scalarText(maker.JSON(content.Type, sample.Request, sample.Full))
		b.Text = &text
	case model.Binary, model.EventStream, model.JSONLines:
		b.Bytes = []byte("bytes")
		if strings.Contains(b.Type, "*") {
			b.Type = "application/octet-stream"
		}
	default:
		b.JSON = maker.JSON(content.Type, sample.Request, sample.Full)
	}
	return b
}

// element is the type of a list's items, behind aliases.
func element(t *model.Type) *model.Type {
	for t.Kind == model.Alias {
		t = t.Elem
	}
	if t.Kind == model.List {
		return t.Elem
	}
	return t
}

func scalarText(b []byte) string {
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	return string(b)
}

var placeholder = regexp.MustCompile(`\\\{[^}]*\\\}`)

// judge says what is wrong with a call, or nothing.
func judge(n golang.OperationNames, o drive.Observation, answer *httptest.ResponseRecorder) string {
	switch {
	case o.Setup != "":
		return o.Setup
	case o.Request == nil:
		return "no request went out: " + o.Error
	case o.Request.Method != n.HTTPMethod:
		return "it was sent as " + o.Request.Method
	}
	path, err := url.PathUnescape(o.Request.Path)
	if err != nil {
		return err.Error()
	}
	template := "^" + placeholder.ReplaceAllString(regexp.QuoteMeta(n.Path), "[^/]+") + "$"
	if !regexp.MustCompile(template).MatchString(path) && !strings.Contains(n.Path, "?") {
		return fmt.Sprintf("it was sent to %s, want %s", o.Request.Path, n.Path)
	}
	if !o.OK {
		return fmt.Sprintf("%s: %s (answer: %d %.200s)", o.Class, o.Error, answer.Code, answer.Body)
	}
	if o.IsBytes && !bytes.Equal(o.Bytes, answer.Body.Bytes()) {
		return fmt.Sprintf("%.80q came back, want %.80q", o.Bytes, answer.Body)
	}
	isJSON := strings.Contains(answer.Header().Get("Content-Type"), "json")
	if o.JSON != nil && isJSON && answer.Code != http.StatusNoContent && len(o.Events) == 0 {
		if d := cases.DiffersJSON(answer.Body.Bytes(), o.JSON); d != "" {
			return "what came back is not what was answered: " + d
		}
	}
	return ""
}
