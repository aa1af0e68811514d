package golang_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/resgen-dev/resgen/gen/internal/golang"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// TestRandomModels holds that any model gives files that parse and type-check,
// recursion, odd member names and every kind of type among them.
func TestRandomModels(t *testing.T) {
	fset := token.NewFileSet()
	source := importer.ForCompiler(fset, "source", nil)
	rapid.Check(t, func(t *rapid.T) {
		plan := drawPlan(t)
		files, err := golang.Files(plan, golang.Options{Package: "api", Spec: "x.yaml", Interfaces: true})
		if err != nil {
			t.Fatal(err)
		}
		var parsed []*ast.File
		for _, f := range files {
			file, err := parser.ParseFile(fset, f.Name, f.Content, parser.SkipObjectResolution)
			if err != nil {
				t.Fatalf("%s: %v\n%s", f.Name, err, f.Content)
			}
			parsed = append(parsed, file)
		}
		config := types.Config{Importer: source}
		if _, err := config.Check("api", fset, parsed, nil); err != nil {
			for _, f := range files {
				t.Logf("%s:\n%s", f.Name, f.Content)
			}
			t.Fatal(err)
		}
		golang.Names(plan)
	})
}

// drawPlan draws an API of a few types and operations under one policy.
func drawPlan(t *rapid.T) *policy.Plan {
	api := &model.API{Title: "Random", Spec: "x.yaml", Types: drawTypes(t)}
	plan := &policy.Plan{API: api, Dependency: "random"}
	home := &policy.Compartment{Dependency: "random"}
	plan.Compartments = []*policy.Compartment{home}
	for i := range rapid.IntRange(0, 4).Draw(t, "operations") {
		op := drawOperation(t, api, i)
		api.Operations = append(api.Operations, op)
		class := rapid.SampledFrom([]policy.Class{policy.Safe, policy.Idempotent, policy.Unsafe}).Draw(t, "class")
		plan.Operations = append(plan.Operations, &policy.Operation{Spec: op, Class: class, Compartment: home})
	}
	return plan
}

var scalars = []model.Kind{
	model.Any, model.Bool, model.Int, model.BigInt, model.Float, model.Number, model.String, model.Bytes, model.Date, model.DateTime, model.Null,
}

// drawTypes draws named types of every kind that refer to each other freely.
func drawTypes(t *rapid.T) []*model.Type {
	kinds := []model.Kind{model.Struct, model.Struct, model.Struct, model.Union, model.Enum, model.List, model.Map, model.Alias, model.String}
	var all []*model.Type
	for i := range rapid.IntRange(1, 8).Draw(t, "types") {
		all = append(all, &model.Type{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Name: fmt.Sprintf("T%d", i), Description: rapid.SampledFrom([]string{"", "A thing.", "*/ x"}).Draw(t, "description")})
	}
	for _, typ := range all {
		typ.Nullable = rapid.Bool().Draw(t, "nullable")
		switch typ.Kind {
		case model.Struct:
			typ.Failure = rapid.Bool().Draw(t, "failure")
			drawFields(t, typ, all)
		case model.Union:
			for i := range rapid.IntRange(1, 3).Draw(t, "variants") {
				typ.Variants = append(typ.Variants, &model.Variant{Name: "V" + strconv.Itoa(i), Type: drawRef(t, all, 0)})
			}
		case model.Enum:
			base := rapid.SampledFrom([]model.Kind{model.String, model.Int, model.Float, model.Bool, model.Any}).Draw(t, "base")
			typ.Elem = &model.Type{Kind: base}
			for i, text := range []string{`"a"`, "1", "-0.5", "true", `"\u2028\""`, "1e400"} {
				typ.Enum = append(typ.Enum, model.EnumValue{Name: fmt.Sprintf("%sE%d", typ.Name, i), Value: model.Literal{JSON: text}})
			}
		case model.List, model.Map:
			typ.Elem = drawRef(t, all, 0)
		case model.Alias:
			typ.Elem = &model.Type{Kind: rapid.SampledFrom(scalars).Draw(t, "scalar")} // references in a circle are refused before
		case model.String:
			typ.Const = &model.Literal{JSON: `"const"`}
		}
	}
	return all
}

func drawFields(t *rapid.T, typ *model.Type, all []*model.Type) {
	wires := []string{"a", "-", "b c", "d,e", "", "f'g", "h`i", "ключ"}
	for i, wire := range wires[:rapid.IntRange(0, len(wires)).Draw(t, "fields")] {
		typ.Fields = append(typ.Fields, &model.Field{
			Wire: wire, Name: "F" + strconv.Itoa(i), Type: drawRef(t, all, 0),
			Required: rapid.Bool().Draw(t, "required"), Deprecated: rapid.Bool().Draw(t, "deprecated"),
		})
	}
	if rapid.Bool().Draw(t, "extra") {
		typ.Extra = drawRef(t, all, 0)
	}
}

// drawRef draws a use of a type: a named one, a scalar, a list or map of such.
func drawRef(t *rapid.T, all []*model.Type, depth int) *model.Type {
	nullable := rapid.Bool().Draw(t, "null")
	switch n := rapid.IntRange(0, 3).Draw(t, "ref"); {
	case n == 0:
		return &model.Type{Kind: rapid.SampledFrom(scalars).Draw(t, "scalar"), Nullable: nullable}
	case n == 1 && depth < 2:
		return &model.Type{Kind: rapid.SampledFrom([]model.Kind{model.List, model.Map}).Draw(t, "of"), Elem: drawRef(t, all, depth+1), Nullable: nullable}
	case n == 2:
		return &model.Type{Kind: model.Alias, Elem: rapid.SampledFrom(all).Draw(t, "aliased"), Nullable: nullable}
	default:
		return rapid.SampledFrom(all).Draw(t, "named")
	}
}

func drawOperation(t *rapid.T, api *model.API, i int) *model.Operation {
	name := fmt.Sprintf("Op%d", i)
	op := &model.Operation{ID: name, Name: name, Method: rapid.SampledFrom([]string{"GET", "POST", "HEAD", "PURGE"}).Draw(t, "method"), Path: "/x", Request: name + "Request"}
	op.Tags = rapid.SampledFrom([][]string{nil, {"a"}, {"Client"}, {"港"}}).Draw(t, "tags")
	for j, in := range []model.In{model.InQuery, model.InHeader, model.InCookie}[:rapid.IntRange(0, 3).Draw(t, "params")] {
		op.Params = append(op.Params, &model.Param{Wire: "p", Name: "P" + strconv.Itoa(j), In: in, Style: model.Form, Required: rapid.Bool().Draw(t, "required"), Type: drawRef(t, api.Types, 0)})
	}
	encodings := []model.Encoding{model.JSON, model.FormURL, model.Multipart, model.Text, model.Binary, model.EventStream, model.JSONLines}
	if rapid.Bool().Draw(t, "body") {
		op.Body = &model.Body{Required: rapid.Bool().Draw(t, "required")}
		n := rapid.IntRange(1, 3).Draw(t, "contents")
		for j := range n {
			c := &model.Content{MediaType: "a/b", Encoding: rapid.SampledFrom(encodings).Draw(t, "encoding"), Type: drawRef(t, api.Types, 0)}
			if n > 1 {
				c.Name = "C" + strconv.Itoa(j)
			}
			for field := range contentFields(c) {
				c.Fields = append(c.Fields, &model.FormField{Field: c.Type.Fields[field], Style: model.Form, Repeat: rapid.Bool().Draw(t, "repeat")})
			}
			op.Body.Contents = append(op.Body.Contents, c)
		}
	}
	stems := map[int]string{0: "Default", 200: "OK", 201: "Created", 204: "NoContent", 404: "NotFound"}
	for _, status := range []int{200, 201, 204, 404, 0}[rapid.IntRange(0, 4).Draw(t, "first"):] {
		r := &model.Response{Status: status, Stem: stems[status]}
		for j := range rapid.IntRange(0, 2).Draw(t, "contents") {
			r.Contents = append(r.Contents, &model.Content{MediaType: fmt.Sprintf("a/c%d", j), Encoding: rapid.SampledFrom(encodings).Draw(t, "encoding"), Name: "C" + strconv.Itoa(j), Type: drawRef(t, api.Types, 0)})
		}
		if rapid.Bool().Draw(t, "headers") {
			r.Headers = []*model.Param{{Wire: "X-H", Name: "XH", Style: model.Simple, Type: &model.Type{Kind: rapid.SampledFrom(scalars).Draw(t, "header")}}}
		}
		op.Responses = append(op.Responses, r)
	}
	return op
}

// contentFields is how many form fields a content's type has.
func contentFields(c *model.Content) int {
	if c.Type == nil || c.Type.Kind != model.Struct || (c.Encoding != model.FormURL && c.Encoding != model.Multipart) {
		return 0
	}
	return len(c.Type.Fields)
}

// TestUnionsThatHoldEachOther holds that a part of such a type ends the look
// into it: with what the others say, wherever the circle begins.
func TestUnionsThatHoldEachOther(t *testing.T) {
	a, b := &model.Type{Kind: model.Union, Name: "A"}, &model.Type{Kind: model.Union, Name: "B"}
	a.Variants = []*model.Variant{{Name: "B", Type: b}, {Name: "Text", Type: &model.Type{Kind: model.String}}}
	b.Variants = []*model.Variant{{Name: "A", Type: a}, {Name: "Number", Type: &model.Type{Kind: model.Int}}}
	form := &model.Type{Kind: model.Struct, Name: "Form", Fields: []*model.Field{{Wire: "a", Name: "A", Type: a}, {Wire: "b", Name: "B", Type: b}}}
	content := &model.Content{MediaType: "multipart/form-data", Encoding: model.Multipart, Type: form}
	for _, f := range form.Fields {
		content.Fields = append(content.Fields, &model.FormField{Field: f, Style: model.Form})
	}
	op := &model.Operation{
		ID: "send", Name: "Send", Method: "POST", Path: "/x", Request: "SendRequest",
		Body: &model.Body{Contents: []*model.Content{content}}, Responses: []*model.Response{{Status: 204, Stem: "NoContent"}},
	}
	home := &policy.Compartment{Dependency: "random"}
	plan := &policy.Plan{
		API: &model.API{Title: "Random", Spec: "x.yaml", Types: []*model.Type{a, b, form}, Operations: []*model.Operation{op}}, Dependency: "random",
		Compartments: []*policy.Compartment{home}, Operations: []*policy.Operation{{Spec: op, Class: policy.Unsafe, Compartment: home}},
	}
	files, err := golang.Files(plan, golang.Options{Package: "api", Spec: "x.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if bytes.Contains(f.Content, []byte("wire.PartJSON")) {
			t.Errorf("a union of text and numbers is sent as JSON:\n%s", f.Content)
		}
	}
}
