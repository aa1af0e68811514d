package openapi

import (
	"mime"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// essence is a media type without parameters, in lower case.
func essence(media string) string {
	if m, _, err := mime.ParseMediaType(media); err == nil {
		return m
	}
	m, _, _ := strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(m))
}

// encodingOf is how a media type is read and written. Binary is for all that
// nothing else is known of.
func encodingOf(media string) model.Encoding {
	m := essence(media)
	switch m {
	case "application/json", "text/json", "application/x-json":
		return model.JSON
	case "application/x-www-form-urlencoded":
		return model.FormURL
	case "text/event-stream":
		return model.EventStream
	case "application/jsonl", "application/x-jsonl", "application/jsonlines", "application/x-jsonlines", "application/json-lines",
		"application/ndjson", "application/x-ndjson", "application/json-seq", "text/jsonl", "text/x-jsonl", "text/x-ndjson":
		return model.JSONLines
	}
	switch {
	case strings.HasSuffix(m, "+json"):
		return model.JSON
	case strings.HasSuffix(m, "+json-seq"), strings.HasSuffix(m, "+jsonl"):
		return model.JSONLines
	case strings.HasPrefix(m, "multipart/"):
		return model.Multipart
	case strings.HasPrefix(m, "text/"):
		return model.Text
	}
	return model.Binary
}

// textual reports whether a media type that is no text/* is text nevertheless,
// so that a schema of a plain string can be meant as it stands.
func textual(media string) bool {
	m := essence(media)
	kind, sub, _ := strings.Cut(m, "/")
	if kind == "message" {
		return true
	}
	for _, word := range [...]string{"xml", "yaml", "yml", "javascript", "graphql", "toml", "jwt", "pem", "sql", "csv", "html", "plain", "x-sh"} {
		if sub == word || sub == "x-"+word || strings.HasSuffix(sub, "+"+word) || strings.HasSuffix(sub, "-"+word+"-file") {
			return true
		}
	}
	return false
}

// nameContents tells the contents of one body apart.
func nameContents(contents []*model.Content) {
	if len(contents) < 2 {
		return
	}
	words := map[string]int{}
	for _, c := range contents {
		words[contentNames(c)[0]]++
	}
	scope := names.NewScope("")
	for _, c := range contents {
		wishes := contentNames(c)
		if words[wishes[0]] > 1 {
			wishes = wishes[1:] // all of a kind by their full names
		}
		c.Name = scope.Take(wishes...)
	}
}

// contentNames are what to call a content, best first: by its encoding, by its
// subtype too, by the whole media type.
func contentNames(c *model.Content) []string {
	word := map[model.Encoding]string{
		model.JSON: "JSON", model.FormURL: "Form", model.Multipart: "Multipart", model.Text: "Text",
		model.Binary: "Binary", model.EventStream: "Events", model.JSONLines: "Lines",
	}[c.Encoding]
	m := essence(c.MediaType)
	kind, sub, _ := strings.Cut(m, "/")
	if c.Encoding == model.Binary && sub != "octet-stream" && kind != "*" {
		word = names.Exported(sub)
		if sub == "*" || sub == "" {
			word = names.Exported(kind)
		}
	}
	if c.Encoding == model.Text && sub != "plain" && sub != "*" {
		word = names.Exported(sub)
	}
	sub = strings.TrimSuffix(sub, "+json")
	sub = strings.TrimPrefix(strings.TrimPrefix(sub, "vnd."), "x-")
	long := names.Join(names.Part(sub), word)
	if sub == "json" {
		long = word
	}
	return []string{word, long, names.Join(names.Exported(c.MediaType))}
}
