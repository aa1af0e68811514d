package document

import "go.yaml.in/yaml/v4"

// A form is the sort of value that a place in a document holds.
type form int

// The forms. The zero form is not valid.
const (
	_         form = iota
	anyForm        // anything; never looked into
	mapForm        // a map with known fields, with values of one shape, or both
	listForm       // a list of items of one shape
	textForm       // text
	textsForm      // a list of texts
	typesForm      // text or a list of texts
	boolForm       // a boolean
	numForm        // a number
	countForm      // a number without a fraction, not below zero
	boundForm      // a boolean (3.0) or a number (3.1)
)

// want is what messages say that a place of this form wants.
func (f form) want() string {
	switch f {
	case mapForm:
		return "a map"
	case listForm:
		return "a list"
	case textForm:
		return "text"
	case textsForm:
		return "a list of texts"
	case typesForm:
		return "text or a list of texts"
	case boolForm:
		return "a boolean"
	case numForm:
		return "a number"
	case countForm:
		return "a whole number from 0"
	case boundForm:
		return "a boolean or a number"
	}
	panic("document: no words for form " + string(rune('0'+int(f))))
}

// A shape is the kind of object that a place in a document holds. The table of
// shapes drives the search for references, their rewriting, the mends and the
// checks of kinds. What it does not name (extensions, examples, defaults) is
// opaque: never searched, never changed.
type shape struct {
	name    string // in messages, with its article: "a schema"
	form    form
	fields  map[string]*shape // of known members
	values  *shape            // of all other members but extensions
	items   *shape            // of a list
	section string            // where references to it are collected; empty: they are inlined
	named   bool              // member names are the author's, so that x- is no extension
	words   string            // the member that text in place of the map stands for; empty: none
	bool    bool              // a boolean stands for the object too
	loses   bool              // dropping it loses an operation
	inline  string            // the code for an inlined reference, where one is not foreseen
	mend    func(*mender, *object)

	// substitute stands in for one that a reference does not lead to; nil means
	// that it is dropped.
	substitute func(at *yaml.Node) *yaml.Node
}

func (s *shape) isSchema() bool { return s == schema || s == schema2 }

var (
	anything = &shape{name: "a value", form: anyForm}
	text     = &shape{name: "a text", form: textForm, inline: "ref-text"}
	texts    = &shape{name: "a list of texts", form: textsForm, inline: "ref-list"}
	types    = &shape{name: "a type", form: typesForm, inline: "ref-text"}
	boolean  = &shape{name: "a boolean", form: boolForm}
	number   = &shape{name: "a number", form: numForm}
	count    = &shape{name: "a count", form: countForm}
	bound    = &shape{name: "a bound", form: boundForm}
)

// A member of fields in the tables below.
type fields = map[string]*shape

func object3(name string, f fields) *shape {
	return &shape{name: name, form: mapForm, fields: f, inline: "ref-object"}
}

// mapOf is a map from the author's names to values of one shape.
func mapOf(name string, values *shape) *shape {
	return &shape{name: name, form: mapForm, values: values, named: true, inline: "ref-object"}
}

func listOf(name string, items *shape) *shape {
	return &shape{name: name, form: listForm, items: items, inline: "ref-list"}
}

// with returns the fields of all, later ones first.
func with(all ...fields) fields {
	out := fields{}
	for _, f := range all {
		for k, v := range f {
			out[k] = v
		}
	}
	return out
}

// Sections of an OpenAPI 3 document, as they stand in a reference.
const (
	inSchemas         = "components/schemas"
	inResponses       = "components/responses"
	inParameters      = "components/parameters"
	inExamples        = "components/examples"
	inRequestBodies   = "components/requestBodies"
	inHeaders         = "components/headers"
	inSecuritySchemes = "components/securitySchemes"
	inLinks           = "components/links"
	inCallbacks       = "components/callbacks"
)

// The schema object is the same in all versions: what a version does not know
// does no harm.
var (
	schema    = &shape{name: "a schema", form: mapForm, section: inSchemas, words: "type", bool: true}
	schemas   = &shape{name: "a map of schemas", form: mapForm, values: schema, named: true, inline: "ref-schemas"}
	schemaAll = listOf("a list of schemas", schema)

	xml          = object3("an XML object", fields{"name": text, "namespace": text, "prefix": text, "attribute": boolean, "wrapped": boolean})
	externalDocs = words(object3("a link to documentation", fields{"description": text, "url": text}), "url")
	mapping      = mapOf("a discriminator's mapping", text)
	discriminate = words(object3("a discriminator", fields{"propertyName": text, "mapping": mapping}), "propertyName")
)

func words(s *shape, field string) *shape {
	s.words = field
	return s
}

// schemaFields are the fields of a schema whose subschemas have the shape sub.
func schemaFields(sub, subs, all *shape) fields {
	return fields{
		"$schema": text, "$id": text, "$anchor": text, "$comment": text,
		"$dynamicRef": text, "$dynamicAnchor": text, "$defs": subs, "definitions": subs,
		"type": types, "title": text, "description": text, "format": text, "pattern": text,
		"nullable": boolean, "readOnly": boolean, "writeOnly": boolean, "deprecated": boolean,
		"allowEmptyValue": boolean, "uniqueItems": boolean,
		"minimum": number, "maximum": number, "multipleOf": number,
		"exclusiveMinimum": bound, "exclusiveMaximum": bound,
		"minLength": count, "maxLength": count, "minItems": count, "maxItems": count,
		"minProperties": count, "maxProperties": count, "minContains": count, "maxContains": count,
		"required": texts, "enum": listOf("a list of values", anything),
		"default": anything, "example": anything, "const": anything,
		"examples":   listOf("a list of examples", anything),
		"properties": subs, "patternProperties": subs, "dependentSchemas": subs,
		"allOf": all, "oneOf": all, "anyOf": all, "prefixItems": all,
		"items": sub, "not": sub, "if": sub, "then": sub, "else": sub, "contains": sub,
		"propertyNames": sub, "additionalProperties": sub, "unevaluatedItems": sub,
		"unevaluatedProperties": sub, "contentSchema": sub, "contentEncoding": text, "contentMediaType": text,
		"dependentRequired": mapOf("a map of lists", texts),
		"discriminator":     discriminate, "xml": xml, "externalDocs": externalDocs,
	}
}

func init() {
	schema.fields = schemaFields(schema, schemas, schemaAll)
	schema.mend, schema2.mend = mendSchema, mendSchema
}
