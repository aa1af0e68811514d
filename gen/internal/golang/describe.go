package golang

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// deprecated is the paragraph by which tools know what is deprecated.
const deprecated = "Deprecated: the specification marks it so."

// typeDoc documents a type: what the specification says, and what the Go type
// means by itself.
func typeDoc(t *model.Type) string {
	text := sentence(t.Name, t.Description)
	if text == "" {
		text = t.Name + " " + kindSentence(t)
		if t.Schema != "" && t.Schema != t.Name {
			text += " The specification calls it " + quoted(t.Schema) + "."
		}
	}
	if note := typeNote(t); note != "" {
		text += "\n\n" + note
	}
	if t.Deprecated {
		text += "\n\n" + deprecated
	}
	return text
}

// kindSentence says what a type without a description is.
func kindSentence(t *model.Type) string {
	if t.Const != nil {
		return "is always " + clipped(t.Const.JSON) + "."
	}
	switch t.Kind {
	case model.Struct:
		return "is an object of the API."
	case model.Union:
		return "is one of " + strconv.Itoa(len(t.Variants)) + " kinds."
	case model.Enum:
		return "is one of a set of values, which may grow."
	case model.List:
		return "is a list."
	case model.Map:
		return "is a map by name."
	case model.Alias:
		return "stands for " + plainType(t.Elem).String() + "."
	default:
		return "is a value of the API."
	}
}

// typeNote says how a value of a kind is used, where that is not plain.
func typeNote(t *model.Type) string {
	switch {
	case t.Kind == model.Union:
		return "Exactly one field is set. A value that fits none of them is kept in Raw as it came."
	case t.Failure:
		return "It is the error of answers that carry it: errors.As finds it."
	}
	return ""
}

// fieldDoc documents a field of a struct.
func fieldDoc(field *model.Field) string {
	t := field.Type
	text := field.Description
	if text == "" {
		text = t.Description
		if t.Name != "" && t.Kind != model.Alias {
			text = "" // the type says it
		}
	}
	var notes []string
	if d := t.Default; d != nil {
		notes = append(notes, "Default: "+clipped(d.JSON)+".")
	}
	if limits := limitsText(t); limits != "" {
		notes = append(notes, limits)
	}
	if field.ReadOnly {
		notes = append(notes, "Only the server sets it.")
	}
	if field.WriteOnly {
		notes = append(notes, "It is sent and never answered.")
	}
	text = joinNotes(text, notes)
	if field.Deprecated || t.Deprecated && t.Name == "" {
		text += "\n\n" + deprecated
	}
	return strings.TrimSpace(text)
}

func joinNotes(text string, notes []string) string {
	text = strings.TrimSpace(text)
	if len(notes) == 0 {
		return text
	}
	note := strings.Join(notes, " ")
	switch {
	case text == "":
		return note
	case strings.Contains(text, "\n"):
		return text + "\n\n" + note
	case strings.HasSuffix(text, "."):
		return text + " " + note
	default:
		return text + ". " + note
	}
}

// limitsText is what a schema says about the bounds of a value.
func limitsText(t *model.Type) string {
	l := t.Limits
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if l.Minimum != "" {
		add("%s %s", map[bool]string{true: "above", false: "at least"}[l.ExclusiveMinimum], oneLine(l.Minimum))
	}
	if l.Maximum != "" {
		add("%s %s", map[bool]string{true: "below", false: "at most"}[l.ExclusiveMaximum], oneLine(l.Maximum))
	}
	if l.MultipleOf != "" {
		add("a multiple of %s", oneLine(l.MultipleOf))
	}
	if l.MinLength != nil && *l.MinLength > 0 {
		add("at least %s", count(*l.MinLength, "character"))
	}
	if l.MaxLength != nil {
		add("at most %s", count(*l.MaxLength, "character"))
	}
	if l.MinItems != nil && *l.MinItems > 0 {
		add("at least %s", count(*l.MinItems, "item"))
	}
	if l.MaxItems != nil {
		add("at most %s", count(*l.MaxItems, "item"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Limits: " + strings.Join(parts, ", ") + "."
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// sentence begins a doc comment with the name: "Charge is a charge …" for a
// description that starts with an article, "CreateCharge charges a card." for
// one that starts with a verb we know, else "Charge: …". A single line ends as
// a sentence does. It is empty without a description.
func sentence(name, description string) string {
	description = strings.TrimSpace(clean(description))
	if description == "" {
		return ""
	}
	return ended(begun(name, description))
}

// ended is a single line with a full stop, unless it ends in a mark of its own
// or in an address.
func ended(line string) string {
	last, _ := utf8.DecodeLastRuneInString(line)
	word := line[strings.LastIndexByte(line, ' ')+1:]
	closes := unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(")]`\"'”", last)
	if strings.Contains(line, "\n") || strings.Contains(word, "://") || !closes {
		return line
	}
	return line + "."
}

// begun is a description behind the name.
func begun(name, description string) string {
	first, rest, _ := strings.Cut(description, " ")
	if strings.EqualFold(first, "this") { // "This endpoint lists …"
		if noun, tail, _ := strings.Cut(rest, " "); nouns[strings.ToLower(noun)] && tail != "" {
			description = tail
			first, rest, _ = strings.Cut(tail, " ")
			if lower := strings.ToLower(first); verbs[lower] == "" && strings.HasSuffix(lower, "s") {
				return name + " " + tail
			}
		}
	}
	switch lower := strings.ToLower(first); {
	case lower == "a" || lower == "an" || lower == "the":
		return name + " is " + lower + " " + rest
	case lower == strings.ToLower(name) && rest != "":
		return name + " " + rest
	case linking[lower]:
		return name + " " + lower + " " + rest
	case verbs[lower] != "" && rest != "":
		if told, ok := conjugated(lower, rest); ok {
			return name + " " + told
		}
	}
	return name + ": " + description
}

// conjugated goes on after a name with what begins as an imperative: "Update or
// cancel an order" is "updates or cancels an order". It is not ok where the
// sentence goes on with an imperative later ("Cancel an order and refund it"), or
// with what may be one: that is left as it is.
func conjugated(verb, rest string) (text string, ok bool) {
	text = verbs[verb]
	for {
		conjunction, after, _ := strings.Cut(rest, " ")
		if !conjunctions[strings.ToLower(conjunction)] {
			break
		}
		next, tail, _ := strings.Cut(after, " ")
		if verbs[strings.ToLower(next)] == "" || tail == "" {
			return "", false
		}
		text, rest = text+" "+conjunction+" "+verbs[strings.ToLower(next)], tail
	}
	line, _, _ := strings.Cut(rest, "\n")
	line, _, _ = strings.Cut(line, ". ")
	words := strings.Fields(line)
	for i, word := range words[:max(0, len(words)-1)] {
		if conjunctions[strings.ToLower(word)] && verbs[strings.ToLower(strings.Trim(words[i+1], ".,;"))] != "" {
			return "", false
		}
	}
	return text + " " + rest, true
}

// conjunctions go on with another verb, or with another thing.
var conjunctions = map[string]bool{"or": true, "and": true, "and/or": true, "&": true, "then": true}

// nouns are what descriptions call the thing that they describe.
var nouns = map[string]bool{"endpoint": true, "operation": true, "method": true, "call": true, "request": true, "object": true, "api": true, "resource": true, "function": true}

// linking are words with which descriptions continue the name.
var linking = map[string]bool{
	"represents": true, "contains": true, "describes": true, "defines": true, "holds": true, "specifies": true,
	"indicates": true, "provides": true, "returns": true, "creates": true, "updates": true, "deletes": true,
	"gets": true, "lists": true, "retrieves": true, "fetches": true, "sends": true, "removes": true, "adds": true,
}

// verbs are the imperatives that summaries begin with, and how they go on
// after a name.
var verbs = map[string]string{
	"accept": "accepts", "activate": "activates", "add": "adds", "approve": "approves", "archive": "archives",
	"assign": "assigns", "authorize": "authorizes", "calculate": "calculates", "cancel": "cancels", "capture": "captures",
	"change": "changes", "charge": "charges", "check": "checks", "clear": "clears", "close": "closes",
	"complete": "completes", "confirm": "confirms", "convert": "converts", "copy": "copies", "create": "creates",
	"deactivate": "deactivates", "decline": "declines", "delete": "deletes", "disable": "disables", "download": "downloads",
	"enable": "enables", "execute": "executes", "export": "exports", "fetch": "fetches", "find": "finds",
	"generate": "generates", "get": "gets", "import": "imports", "initiate": "initiates", "install": "installs",
	"invite": "invites", "list": "lists", "lock": "locks", "make": "makes", "merge": "merges", "modify": "modifies",
	"move": "moves", "pause": "pauses", "publish": "publishes", "query": "queries", "read": "reads",
	"refund": "refunds", "register": "registers", "reject": "rejects", "release": "releases", "remove": "removes",
	"rename": "renames", "replace": "replaces", "request": "requests", "reset": "resets", "restart": "restarts",
	"restore": "restores", "resume": "resumes", "retrieve": "retrieves", "return": "returns", "revoke": "revokes",
	"run": "runs", "save": "saves", "search": "searches", "send": "sends", "set": "sets", "show": "shows",
	"start": "starts", "stop": "stops", "store": "stores", "submit": "submits", "test": "tests", "transfer": "transfers",
	"trigger": "triggers", "unlock": "unlocks", "unpublish": "unpublishes", "update": "updates", "upgrade": "upgrades",
	"upload": "uploads", "validate": "validates", "verify": "verifies", "view": "views", "void": "voids",
	"withdraw": "withdraws", "write": "writes",
}

// quoted is a text of the specification in quotes, within a sentence.
func quoted(text string) string { return `"` + oneLine(text) + `"` }

// clipped is a JSON value in a sentence, cut where it gets long.
func clipped(text string) string {
	text = oneLine(text)
	if utf8.RuneCountInString(text) <= 60 {
		return text
	}
	runes := []rune(text)
	return strings.TrimRightFunc(string(runes[:60]), unicode.IsSpace) + " …"
}

// docs is a description as comment lines within a list of declarations.
func docs(text string) []jen.Code {
	var out []jen.Code
	for _, line := range docLines(text) {
		out = append(out, jen.Comment(strings.TrimRight("// "+line, " ")))
	}
	return out
}

// durationText is a duration as people write it: 1m30s, 800ms.
func durationText(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}
