package document

// The shapes of Swagger 2.0. What 2.0 shares with 3.0 is in shape3.go.
const (
	inDefinitions = "definitions"
	inParameters2 = "parameters"
	inResponses2  = "responses"
)

var (
	schema2    = &shape{name: "a schema", form: mapForm, section: inDefinitions, words: "type", bool: true}
	schemas2   = &shape{name: "a map of schemas", form: mapForm, values: schema2, named: true, inline: "ref-schemas"}
	parameter2 = &shape{name: "a parameter", form: mapForm, section: inParameters2}
	response2  = &shape{name: "a response", form: mapForm, section: inResponses2, words: "description"}
	document2  = &shape{name: "a Swagger document", form: mapForm}
)
