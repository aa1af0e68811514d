package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

const dialect2020 = "https://json-schema.org/draft/2020-12/schema"

// An object is a JSON object being made; its members come out sorted.
type object = map[string]any

// Schema is the JSON Schema (2020-12) of the x-resilience object, made from
// the vocabulary's table. It takes what may stand at some place; the
// definitions document, pathItem, operation, policyFile and namedPolicy take
// what may stand there.
func Schema() []byte {
	s := annotationSchema(everywhere)
	s["$schema"] = dialect2020
	s["title"] = extension
	s["description"] = "What a caller must know of a dependency to call it well."
	s["$defs"] = object{
		"document":    annotationSchema(OnDocument),
		"pathItem":    annotationSchema(OnPath),
		"operation":   annotationSchema(OnOperation),
		"policyFile":  annotationSchema(OnFile),
		"namedPolicy": annotationSchema(OnPolicy),
		"matcher":     matcherSchema(),
		"waiver":      waiverSchema(),
	}
	return encodeSchema(s)
}

func encodeSchema(s object) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic(fmt.Sprintf("policy: the schema cannot be encoded: %v", err)) // it holds maps, lists and texts only
	}
	return b.Bytes()
}

// annotationSchema is the schema of an annotation at some of the places.
func annotationSchema(at Places) object { return sectionSchema(words.root, at) }

func sectionSchema(sec *Section, at Places) object {
	properties := object{
		"because": textSchema("Why it is so."),
		"owner":   textSchema("Who answers for it."),
		"until":   dateSchema(),
	}
	for _, row := range sec.Rows {
		if row.Places&at == 0 || row.Later {
			continue
		}
		s := valueSchema(row)
		s["description"] = describe(row)
		properties[row.key()] = s
	}
	for _, sub := range sec.Sections {
		properties[sub.key()] = sectionSchema(sub, at)
	}
	s := object{"type": "object", "additionalProperties": false, "properties": properties}
	if sec.Meaning != "" {
		s["description"] = sec.Meaning
	}
	return s
}

// describe is what an editor shows of a leaf: meaning and default.
func describe(row *Row) string {
	d := row.Default
	switch {
	case d == Defaults{}:
		return row.Meaning
	case d == same(d[0]):
		return fmt.Sprintf("%s Default: %s.", row.Meaning, d[0])
	}
	return fmt.Sprintf("%s Default: %s where critical, %s where standard, %s for an enhancement.", row.Meaning, d[0], d[1], d[2])
}

func textSchema(description string) object {
	return object{"type": "string", "pattern": `\S`, "description": description}
}

func dateSchema() object {
	return object{"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "description": "The last day on which it holds."}
}

const goDuration = `^(0|([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*)$`

// valueSchema is the schema of a leaf's value.
func valueSchema(row *Row) object {
	pattern := func(p string) object { return object{"type": "string", "pattern": p} }
	switch row.Kind {
	case KindDuration:
		return durationSchema(row)
	case KindInt:
		s := object{"type": "integer", "minimum": row.Min}
		if row.Max != 0 {
			s["maximum"] = row.Max
		}
		return s
	case KindFactor:
		return object{"type": "number", "minimum": row.Min / 1000, "maximum": row.Max / 1000}
	case KindShare:
		return shareSchema(row)
	case KindPerTime:
		s := pattern(ratePattern.String())
		if row.Min > 0 {
			s["allOf"] = []object{{"pattern": "[1-9].*/"}}
		}
		return s
	case KindWord:
		return object{"enum": row.Words}
	case KindSlug:
		return pattern(slugPattern.String())
	case KindName:
		return pattern(namePattern.String())
	case KindText:
		return pattern(`\S`)
	case KindPointer:
		return pattern(pointerPattern.String())
	case KindBool:
		return object{"type": "boolean"}
	case KindStatuses, KindNames:
		return setSchema(row)
	case KindMeanings:
		return meaningsSchema(row)
	case KindJSON:
		return object{}
	case KindPolicies:
		return object{"type": "object", "propertyNames": object{"pattern": namePattern.String()}, "additionalProperties": object{"$ref": "#/$defs/namedPolicy"}}
	case KindWaivers:
		return object{"type": "array", "items": object{"$ref": "#/$defs/waiver"}}
	}
	panic(fmt.Sprintf("policy: kind %d of %s has no schema", row.Kind, row.Leaf))
}

func durationSchema(row *Row) object {
	s := object{"type": "string", "pattern": goDuration}
	if row.Min > 0 {
		s["allOf"] = []object{{"pattern": "[1-9]"}}
		if row.None {
			return object{"anyOf": []object{s, {"const": noLimit}}}
		}
		return s
	}
	return object{"anyOf": []object{s, {"const": 0}}}
}

func shareSchema(row *Row) object {
	percent := object{"type": "string", "pattern": `^(100(\.0+)?|[0-9]{1,2}(\.[0-9]{1,4})?)%$`}
	if row.Step == basisPoint {
		percent["pattern"] = `^(100(\.0+)?|[0-9]{1,2}(\.[0-9]{1,2}0*)?)%$`
	}
	number := object{"type": "number", "minimum": 0, "exclusiveMaximum": 1}
	text := object{"type": "string", "pattern": `^0\.[0-9]{1,6}$`}
	if row.Min > 0 {
		number = object{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
		percent["allOf"], text["allOf"] = []object{{"pattern": "[1-9]"}}, []object{{"pattern": "[1-9]"}}
	}
	return object{"anyOf": []object{percent, number, text}}
}

func setSchema(row *Row) object {
	member := object{"type": "string", "pattern": namePattern.String()}
	name := object{"pattern": namePattern.String()}
	if row.Kind == KindStatuses {
		alternatives := append([]string{row.statusPattern()}, row.Words...)
		name = object{"pattern": "^(" + strings.Join(alternatives, "|") + ")$"}
		members := []object{
			{"type": "integer", "minimum": max(row.Min, 100), "maximum": 599},
			{"type": "string", "pattern": "^" + row.statusPattern() + "$"},
		}
		if len(row.Words) > 0 {
			members = append(members, object{"enum": row.Words})
		}
		member = object{"anyOf": members}
	}
	return object{"anyOf": []object{
		{"type": "object", "propertyNames": name, "additionalProperties": object{"type": "boolean"}},
		{"type": "array", "items": member},
	}}
}

// statusPattern matches the statuses and ranges that a row takes.
func (r *Row) statusPattern() string {
	rest := "([0-9][0-9]|XX)"
	if r.Exact {
		rest = "[0-9][0-9]"
	}
	return fmt.Sprintf("[%d-5]%s", max(r.Min/100, 1), rest)
}

func meaningsSchema(row *Row) object {
	matchers := object{"type": "object", "propertyNames": object{"enum": meanings[1:]}, "additionalProperties": object{"$ref": "#/$defs/matcher"}}
	return object{
		"type":                 "object",
		"propertyNames":        object{"pattern": "^" + row.statusPattern() + "$"},
		"additionalProperties": object{"anyOf": []object{{"enum": meanings[1:]}, {"const": false}, matchers}},
	}
}

func matcherSchema() object {
	return object{
		"type": "object", "additionalProperties": false, "required": []string{"at", "is"},
		"properties": object{
			"at": object{"type": "string", "pattern": pointerPattern.String(), "description": "A JSON pointer into the answer's body."},
			"is": object{"type": "array", "minItems": 1, "items": object{"type": []string{"string", "number", "boolean"}}, "description": "What may stand there."},
		},
	}
}

func waiverSchema() object {
	return object{
		"type": "object", "additionalProperties": false, "required": []string{"rule", "because", "until", "owner"},
		"properties": object{
			"rule":    object{"type": "string", "pattern": "^RG[0-9]{3}$", "description": "The rule that is silenced here."},
			"because": textSchema("Why it is so."),
			"owner":   textSchema("Who answers for it."),
			"until":   dateSchema(),
		},
	}
}
