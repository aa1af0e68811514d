package openapi

import (
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// settleFiles decides where binary text is a file: in the fields of a multipart
// body. Everywhere else it travels inside JSON or as text, and is a string.
func settleFiles(api *model.API, ds *diag.List) {
	files := map[*model.Type]bool{}
	for _, o := range api.Operations {
		if o.Body == nil {
			continue
		}
		for _, c := range o.Body.Contents {
			for _, f := range c.Fields {
				if f.File {
					files[fileOf(f.Field.Type)] = true
					neverNull(f.Field.Type)
				}
			}
		}
	}
	api.Walk(func(t *model.Type) bool {
		if t.Kind == model.File && !files[t] {
			t.Kind = model.String
		}
		return true
	})
	if len(files) == 0 {
		return
	}
	for _, o := range api.Operations {
		warnFilesInJSON(o, ds)
	}
}

// neverNull takes null from a file, or a list of files: a part has no form for
// it, so that unset is all there is to say. The type of a component stays.
func neverNull(t *model.Type) {
	for _, t := range []*model.Type{t, fileOf(t)} {
		if t.Name == "" {
			t.Nullable = false
		}
	}
}

// fileOf is the file type of a multipart field: its own, or its items'.
func fileOf(t *model.Type) *model.Type {
	t = resolved(t)
	if t.Kind == model.List {
		t = resolved(t.Elem)
	}
	return t
}

// warnFilesInJSON points to JSON bodies that share a type with a multipart body
// that sends a file in it.
func warnFilesInJSON(o *model.Operation, ds *diag.List) {
	check := func(contents []*model.Content) {
		for _, c := range contents {
			if c.Encoding != model.JSON {
				continue
			}
			c.Type.Walk(func(t *model.Type) bool {
				if t.Kind == model.File {
					ds.Warnf(t.Pos, "file-in-json", "a file of a multipart body is also part of a JSON body of %s, which has no form for it", o.ID).
						WithHint("give the JSON body a schema of its own")
				}
				return true
			})
		}
	}
	if o.Body != nil {
		check(o.Body.Contents)
	}
	for _, r := range o.Responses {
		check(r.Contents)
	}
}

// tagTypes notes for every type the tags under which it is used.
func tagTypes(api *model.API) {
	for _, o := range api.Operations {
		if len(o.Tags) == 0 {
			continue
		}
		tag := o.Tags[0]
		o.Types(func(t *model.Type) bool {
			if !slices.Contains(t.Tags, tag) {
				t.Tags = append(t.Tags, tag)
			}
			return true
		})
	}
}
