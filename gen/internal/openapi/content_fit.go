package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// fitting settles contents whose media type cannot carry their structure. Beside
// JSON they are left out, as everybody uses that. A vendor's type without a
// suffix is JSON, and so is the answer of a failure that is no XML: it was given
// the type of the success by a description that has one list for all.
func (l *lowerer) fitting(all []mediaAt, of contentOf) []mediaAt {
	inJSON := slices.IndexFunc(all, func(m mediaAt) bool { return m.out.Encoding == model.JSON })
	hasJSON := inJSON >= 0
	var beside document.Node // the schema of the JSON that is declared
	if hasJSON {
		beside = all[inJSON].node.Get("schema")
	}
	return slices.DeleteFunc(all, func(m mediaAt) bool {
		if !l.misfits(m, of) {
			return false
		}
		media := m.out.MediaType
		switch {
		case hasJSON:
			l.leaveOut(m, beside, of)
			return true
		case strings.HasPrefix(essence(media), "application/vnd.") && !strings.Contains(media, "+"):
			m.out.Encoding = model.JSON
		case of.role == failed && !strings.Contains(essence(media), "xml"):
			m.out.Encoding, m.out.MediaType = model.JSON, "application/json"
		default:
			return false
		}
		hasJSON = true
		l.diags.Warnf(m.out.Pos, "media-type-json", "%s is %s, but its schema has a structure; read as JSON", of.subject, media).
			WithHint("declare application/json, or the schema of the bytes as a binary string")
		return false
	})
}

// leaveOut says that a content is left out beside JSON. Where JSON carries the
// same, that is told once a media type. A failure keeps its bytes in any case.
func (l *lowerer) leaveOut(m mediaAt, beside document.Node, of contentOf) {
	const code = "media-type-left-out"
	media := m.out.MediaType
	switch {
	case of.role == failed:
		l.diags.Infof(m.out.Pos, code, "%s may also be %s, which has no form for its structure; JSON is typed, other bytes are kept with the error", of.subject, media)
		return
	case beside.Exists() && literal(m.node.Get("schema")) != literal(beside):
		l.diags.Warnf(m.out.Pos, code, "%s may also be %s, with a structure of its own that has no form in it; only JSON is used", of.subject, media).
			WithHint("use JSON; to have the bytes instead, remove the JSON beside them by an overlay")
		return
	}
	l.diags.Infof(m.out.Pos, code, "%s may also be %s, which has no form for its structure; JSON is used", of.subject, media)
	i := slices.IndexFunc(l.leftOut, func(o leftOut) bool { return o.media == media })
	if i < 0 {
		i = len(l.leftOut)
		l.leftOut = append(l.leftOut, leftOut{media: media, first: m.out.Pos})
	}
	l.leftOut[i].places++
}

// A leftOut is a media type that is left out beside JSON.
type leftOut struct {
	media  string
	first  diag.Pos
	places int
}

// tellLeftOut warns once of each media type that is left out beside JSON, at the
// first place.
func (l *lowerer) tellLeftOut() {
	for _, o := range l.leftOut {
		where := "here"
		switch more := o.places - 1; {
		case more == 1:
			where += " and in 1 more place"
		case more > 1:
			where += fmt.Sprintf(" and in %d more places", more)
		}
		l.diags.Warnf(o.first, "media-type-left-out", "%s has no form for a structure; it is left out beside JSON, which carries the same, %s", o.media, where).
			WithHint("use JSON; to send or read the bytes instead, remove the JSON beside them by an overlay")
	}
}

// misfits reports whether a content has a structure that its media type cannot carry.
func (l *lowerer) misfits(m mediaAt, of contentOf) bool {
	switch m.out.Encoding {
	case model.Binary, model.Text:
	case model.FormURL, model.Multipart:
		if of.role == asked {
			return false
		}
	default:
		return false
	}
	if m.kin.Schema == nil {
		return false
	}
	sh, ok := l.fold(one(m.kin.Schema, m.node.Get("schema")))
	return ok && !sh.inert() && scalarClass(arm{shape: sh}) == "" && len(sh.unions) == 0
}
