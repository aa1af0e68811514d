package document

// The shapes of OpenAPI 3.0 and 3.1.
var (
	example  = &shape{name: "an example", form: mapForm, section: inExamples, fields: fields{"summary": text, "description": text, "value": anything, "externalValue": text}}
	examples = mapOf("a map of examples", example)

	serverVariable = object3("a server variable", fields{"enum": texts, "default": text, "description": text})
	server         = words(object3("a server", fields{"url": text, "description": text, "variables": mapOf("a map of server variables", serverVariable)}), "url")
	servers        = listOf("a list of servers", server)

	mediaType  = &shape{name: "a media type", form: mapForm, inline: "ref-media-type"}
	content    = &shape{name: "a content", form: mapForm, values: mediaType, named: true, inline: "ref-content"}
	headerOf   = &shape{name: "a header", form: mapForm, section: inHeaders}
	headers    = mapOf("a map of headers", headerOf)
	encoding   = object3("an encoding", fields{"contentType": text, "headers": headers, "style": text, "explode": boolean, "allowReserved": boolean})
	parameter  = &shape{name: "a parameter", form: mapForm, section: inParameters}
	parameters = listOf("a list of parameters", parameter)

	requestBody = &shape{name: "a request body", form: mapForm, section: inRequestBodies, fields: fields{"description": text, "required": boolean, "content": content}}
	link        = &shape{name: "a link", form: mapForm, section: inLinks, fields: fields{
		"operationRef": text, "operationId": text, "description": text, "parameters": mapOf("a link's parameters", anything), "requestBody": anything, "server": server}}
	response = &shape{name: "a response", form: mapForm, section: inResponses, words: "description", fields: fields{
		"description": text, "headers": headers, "content": content, "links": mapOf("a map of links", link)}}
	responses = &shape{name: "a map of responses", form: mapForm, values: response, inline: "ref-object"}

	// The scopes that a security requirement names: nothing written means none.
	scopeNames  = &shape{name: "a list of scopes", form: textsForm, inline: "ref-list"}
	scopes      = mapOf("a map of scopes", text)
	flow        = object3("an OAuth flow", fields{"authorizationUrl": text, "tokenUrl": text, "refreshUrl": text, "scopes": scopes})
	flows       = object3("OAuth flows", fields{"implicit": flow, "password": flow, "clientCredentials": flow, "authorizationCode": flow})
	secScheme   = &shape{name: "a security scheme", form: mapForm, section: inSecuritySchemes, fields: fields{"type": text, "description": text, "name": text, "in": text, "scheme": text, "bearerFormat": text, "flows": flows, "openIdConnectUrl": text}}
	requirement = &shape{name: "a security requirement", form: mapForm, values: scopeNames, named: true, inline: "ref-object"}
	security    = listOf("a list of security requirements", requirement)

	callback  = &shape{name: "a callback", form: mapForm, section: inCallbacks}
	callbacks = mapOf("a map of callbacks", callback)

	operation = &shape{name: "an operation", form: mapForm, loses: true, inline: "ref-operation"}
	pathItem  = &shape{name: "a path item", form: mapForm, loses: true}
	paths     = &shape{name: "paths", form: mapForm, values: pathItem, loses: true, inline: "ref-object"}

	// Webhooks and callbacks have no client side: losing one loses nothing.
	hookOperation = &shape{name: "an operation", form: mapForm, inline: "ref-operation"}
	hookItem      = &shape{name: "a path item", form: mapForm}

	contact = words(object3("a contact", fields{"name": text, "url": text, "email": text}), "name")
	license = words(object3("a license", fields{"name": text, "url": text, "identifier": text}), "name")
	info    = words(object3("an info object", fields{"title": text, "summary": text, "description": text, "termsOfService": text, "contact": contact, "license": license, "version": text}), "title")
	tag     = words(object3("a tag", fields{"name": text, "description": text, "externalDocs": externalDocs}), "name")
	tags    = listOf("a list of tags", tag)

	components = object3("components", fields{
		"schemas": schemas, "responses": mapOf("a map of responses", response), "parameters": mapOf("a map of parameters", parameter),
		"examples": examples, "requestBodies": mapOf("a map of request bodies", requestBody), "headers": headers,
		"securitySchemes": mapOf("a map of security schemes", secScheme), "links": mapOf("a map of links", link), "callbacks": callbacks,
	})

	document3 = &shape{name: "an OpenAPI document", form: mapForm, fields: fields{
		"openapi": text, "info": info, "jsonSchemaDialect": text, "servers": servers, "paths": paths, "webhooks": mapOf("webhooks", hookItem),
		"components": components, "security": security, "tags": tags, "externalDocs": externalDocs,
	}}
)

// The methods that a path item has fields for; query since OpenAPI 3.2.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

func init() {
	carried := fields{
		"description": text, "style": text, "explode": boolean, "allowReserved": boolean, "allowEmptyValue": boolean,
		"deprecated": boolean, "required": boolean, "schema": schema, "content": content, "example": anything, "examples": examples,
	}
	headerOf.fields = with(carried)
	parameter.fields = with(carried, fields{"name": text, "in": text})
	mediaType.fields = fields{"schema": schema, "itemSchema": schema, "example": anything, "examples": examples, "encoding": mapOf("a map of encodings", encoding)}

	operationFields := fields{
		"tags": texts, "summary": text, "description": text, "externalDocs": externalDocs, "operationId": text, "parameters": parameters,
		"requestBody": requestBody, "responses": responses, "callbacks": callbacks, "deprecated": boolean, "security": security, "servers": servers,
	}
	operation.fields, hookOperation.fields = operationFields, operationFields
	callback.values = hookItem
	// Path items of components have been put in where they are used.
	components.mend = func(_ *mender, o *object) { o.drop("pathItems") }
	pathItem.fields, hookItem.fields = itemFields(operation), itemFields(hookOperation)
}

func itemFields(operation *shape) fields {
	f := fields{"summary": text, "description": text, "servers": servers, "parameters": parameters,
		"additionalOperations": mapOf("operations by their methods", operation)}
	for _, m := range methods {
		f[m] = operation
	}
	return f
}
