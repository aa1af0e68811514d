package openapi

import (
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
)

// ownTuple reads a list whose items have a schema by position. Go has no type
// for it: where all positions say the same and no other item can follow, it is
// a list of that, else one of any value.
func (l *lowerer) ownTuple(sh *shape, s *openapi3.Schema, node document.Node) {
	positions := node.Get("prefixItems")
	if first := alikeItems(node); first.Exists() && len(s.PrefixItems) > 0 {
		sh.items = one(s.PrefixItems[0], first)
		return
	}
	sh.tuple = true
	l.diags.Warnf(positions.Pos(), "tuple", "the items of this list have a schema by position; they become any value").
		WithHint("describe the list by one schema for all its items, or make it an object")
}

// alikeItems is the schema of every item that a tuple can have, if that is one.
func alikeItems(tuple document.Node) (first document.Node) {
	positions, rest := tuple.Get("prefixItems"), tuple.Get("items")
	said := ""
	for n := range positions.Items() {
		if !first.Exists() {
			first, said = n, itemText(n)
		}
		if itemText(n) != said {
			return document.Node{}
		}
	}
	if rest.Kind() == document.Map {
		if itemText(rest) != said {
			return document.Node{}
		}
		return first
	}
	most, err := strconv.Atoi(tuple.Get("maxItems").Text())
	if rest.Kind() == document.Bool && rest.Text() == "false" || err == nil && most <= positions.Len() {
		return first
	}
	return document.Node{}
}

// itemText is a schema as text, without what only describes it.
func itemText(n document.Node) string {
	if n.Kind() != document.Map {
		return literal(n)
	}
	var b strings.Builder
	for key, value := range n.Members() {
		switch key.Text() {
		case "title", "description", "example", "examples", "deprecated":
			continue
		}
		b.WriteString(quoted(key.Text()) + ":" + literal(value) + ",")
	}
	return b.String()
}
