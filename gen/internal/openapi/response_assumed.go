package openapi

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// assumeSuccess gives an operation that declares neither a 2xx nor a default one
// that it must have: any 2xx, handed on as bytes. Without it everything that the
// service did and answered would reach the caller as an error. Declared
// redirects that clients do not follow are successes too.
func (l *lowerer) assumeSuccess(op *opSource, stems *names.Scope) {
	o := op.out
	switch successes := o.Successes(); {
	case len(successes) > 0 && successes[0].Default():
		l.tellDefault(o, successes[0])
		return
	case len(successes) > 0:
		return
	}
	for _, r := range o.Responses {
		r.Redirect = endsAt(o.Method, r)
	}
	pos := op.node.Get("responses").Pos()
	if !pos.IsValid() {
		pos = op.node.Pos()
	}
	assumed := &model.Response{Pos: pos, Status: http.StatusOK, Range: true, Stem: stems.Take(statusStem(http.StatusOK, true)), Assumed: true}
	if !bodiless(o.Method, assumed.Status) {
		assumed.Contents = []*model.Content{{Pos: pos, MediaType: "*/*", Encoding: model.Binary}}
	}
	l.tellAssumed(o, pos)
	o.Responses = append(o.Responses, assumed)
}

// tellDefault warns of a download behind a redirect that is read as the default
// answer, which in most descriptions is a failure's.
func (l *lowerer) tellDefault(o *model.Operation, byDefault *model.Response) {
	i := slices.IndexFunc(o.Responses, func(r *model.Response) bool {
		return r.Status/100 == 3 && r.Status != http.StatusNotModified && !endsAt(o.Method, r)
	})
	if i < 0 {
		return
	}
	l.diags.Warnf(byDefault.Pos, "no-success", "%s declares no 2xx; %s is followed, and the 2xx that it leads to is read as the default answer", o.ID, statusKey(o.Responses[i])).
		WithHint("declare the 2xx answer with its media type")
}

// tellAssumed says what is taken for the success of an operation, and why.
func (l *lowerer) tellAssumed(o *model.Operation, pos diag.Pos) {
	handed := ", handed on as bytes"
	if bodiless(o.Method, http.StatusOK) {
		handed = ""
	}
	var d *diag.Diagnostic
	moved := slices.IndexFunc(o.Responses, func(r *model.Response) bool { return r.Status/100 == 3 && r.Status != http.StatusNotModified })
	ends := slices.IndexFunc(o.Responses, func(r *model.Response) bool { return r.Redirect })
	upgrades := slices.ContainsFunc(o.Responses, func(r *model.Response) bool { return r.Status == http.StatusSwitchingProtocols })
	switch {
	case ends >= 0:
		d = l.diags.Infof(pos, "no-success", "%s declares no 2xx; %s, which is not followed, is taken for its success, and so is any 2xx%s", o.ID, statusKey(o.Responses[ends]), handed)
	case moved >= 0:
		d = l.diags.Infof(pos, "no-success", "%s declares no 2xx; %s is followed, and any 2xx is taken for its success%s", o.ID, statusKey(o.Responses[moved]), handed)
	case upgrades:
		d = l.diags.Warnf(pos, "no-success", "%s declares no success but 101, after which the connection speaks a protocol that a call has no form for; any 2xx is taken for its success%s", o.ID, handed)
		d.WithHint("make such a connection without this client, or declare the answer with which the call ends")
		return
	default:
		d = l.diags.Warnf(pos, "no-success", "%s declares no success; any 2xx is taken for one%s", o.ID, handed)
	}
	d.WithHint("declare the 2xx answer with its media type")
}

// endsAt reports whether a redirect is the end of a call: clients do not follow
// it. A write is never repeated as a GET, and a 304 leads nowhere. A 307 or 308
// is followed or, where that could do harm, an error: nothing has been done then.
func endsAt(method string, r *model.Response) bool {
	reads := method == http.MethodGet || method == http.MethodHead
	switch {
	case r.Status/100 != 3:
		return false
	case r.Range:
		return !reads
	}
	switch r.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		return !reads
	case http.StatusNotModified, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return false
	}
	return true
}

// dropStreams leaves out what a redirect, which is never streamed, has no form for.
func (l *lowerer) dropStreams(r *model.Response, of contentOf) {
	r.Contents = slices.DeleteFunc(r.Contents, func(c *model.Content) bool {
		switch c.Encoding {
		case model.JSON, model.Text, model.FormURL:
			return false
		}
		l.diags.Warnf(c.Pos, "media-type", "%s is %s, and a redirect, whose body is not streamed; it is left out", of.subject, c.MediaType).
			WithHint("declare the 2xx answer that the redirect leads to")
		return true
	})
}

// statusKey is the key of an answer as people write it.
func statusKey(r *model.Response) string {
	if r.Range {
		return strconv.Itoa(r.Status/100) + "XX"
	}
	return strconv.Itoa(r.Status)
}
