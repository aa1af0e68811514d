package document

// Sections of a Swagger 2.0 document, as they stand in a reference.
const (
	inDefinitions = "definitions"
	inParameters2 = "parameters"
	inResponses2  = "responses"
)

// The shapes of Swagger 2.0. What 2.0 shares with 3.0 is in shape3.go.
var (
	schema2    = &shape{name: "a schema", form: mapForm, section: inDefinitions, words: "type", bool: true}
	schemas2   = &shape{name: "a map of schemas", form: mapForm, values: schema2, named: true, inline: "ref-schemas"}
	schemaAll2 = listOf("a list of schemas", schema2)

	items2      = &shape{name: "the items of a parameter", form: mapForm, words: "type", inline: "ref-object"}
	header2     = &shape{name: "a header", form: mapForm, words: "type", inline: "ref-object"}
	parameter2  = &shape{name: "a parameter", form: mapForm, section: inParameters2}
	parameters2 = listOf("a list of parameters", parameter2)
	response2   = &shape{name: "a response", form: mapForm, section: inResponses2, words: "description"}
	responses2  = &shape{name: "a map of responses", form: mapForm, values: response2, inline: "ref-object"}

	secScheme2 = object3("a security definition", fields{"type": text, "description": text, "name": text, "in": text, "flow": text, "authorizationUrl": text, "tokenUrl": text, "scopes": scopes})

	operation2 = &shape{name: "an operation", form: mapForm, loses: true, inline: "ref-operation", fields: fields{
		"tags": texts, "summary": text, "description": text, "externalDocs": externalDocs, "operationId": text, "consumes": texts, "produces": texts,
		"parameters": parameters2, "responses": responses2, "schemes": texts, "deprecated": boolean, "security": security}}
	pathItem2 = &shape{name: "a path item", form: mapForm, loses: true}
	paths2    = &shape{name: "paths", form: mapForm, values: pathItem2, loses: true, inline: "ref-object"}

	document2 = &shape{name: "a Swagger document", form: mapForm, fields: fields{
		"swagger": text, "info": info, "host": text, "basePath": text, "schemes": texts, "consumes": texts, "produces": texts, "paths": paths2,
		"definitions": schemas2, "parameters": mapOf("a map of parameters", parameter2), "responses": mapOf("a map of responses", response2),
		"securityDefinitions": mapOf("a map of security definitions", secScheme2), "security": security, "tags": tags, "externalDocs": externalDocs}}
)

// The fields of a parameter that is no body, which become its schema.
var valueFields = fields{
	"type": text, "format": text, "items": items2, "default": anything, "enum": listOf("a list of values", anything),
	"maximum": number, "exclusiveMaximum": boolean, "minimum": number, "exclusiveMinimum": boolean, "multipleOf": number,
	"maxLength": count, "minLength": count, "pattern": text, "maxItems": count, "minItems": count, "uniqueItems": boolean,
}

func init() {
	schema2.fields = schemaFields(schema2, schemas2, schemaAll2)
	schema2.fields["discriminator"] = anything
	schema2.substitute = schema.substitute
	response2.substitute = response.substitute

	carried := with(valueFields, fields{"collectionFormat": text})
	items2.fields = carried
	header2.fields = with(carried, fields{"description": text})
	parameter2.fields = with(carried, fields{"name": text, "in": text, "description": text, "required": boolean, "allowEmptyValue": boolean, "deprecated": boolean, "schema": schema2})
	response2.fields = fields{"description": text, "schema": schema2, "headers": mapOf("a map of headers", header2), "examples": mapOf("a map of examples", anything)}
	pathItem2.fields = fields{"summary": text, "description": text, "parameters": parameters2}
	for _, m := range methods {
		pathItem2.fields[m] = operation2
	}
	for _, s := range []*shape{items2, header2, parameter2} {
		s.mend = func(m *mender, o *object) {
			if types := typesOf(o); len(types) > 0 {
				m.values(o, types)
			}
		}
	}
}
