package document

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// What authors write for the sections: by its 2.0 name in a document of 3.0,
// and the other way round.
var sectionNames = map[string][]string{
	inSchemas: {"definitions", "components/schemas"}, inDefinitions: {"definitions", "components/schemas"},
	inResponses: {"responses", "components/responses"}, inResponses2: {"responses", "components/responses"},
	inParameters: {"parameters", "components/parameters"}, inParameters2: {"parameters", "components/parameters"},
}

// guess finds the component of the entry that a reference which leads nowhere
// must mean: it names it without the path, without the #, under the section's
// name in another version, or in other letters.
func (l *linker) guess(ref *yaml.Node, s *shape) (place, bool) {
	if s.section == "" {
		return place{}, false
	}
	path := strings.Trim(strings.TrimLeft(strings.TrimSpace(ref.Value), "#"), "/")
	prefix, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		prefix, name = path[:i], path[i+1:]
	}
	meant := prefix == "" || prefix == s.section
	for _, known := range sectionNames[s.section] {
		meant = meant || prefix == known
	}
	if !meant || name == "" || strings.ContainsAny(name, ".:?#") {
		return place{}, false
	}
	tokens := strings.Split(s.section, "/")
	var found, alike []place
	for key, value := range (Node{l.base(ref).root}).At(tokens...).Members() {
		at := place{node: value.y, src: l.base(ref), tokens: append(tokens[:len(tokens):len(tokens)], key.Text())}
		switch plain := unescapeToken(name); {
		case key.Text() == plain:
			found = append(found, at)
		case strings.EqualFold(key.Text(), plain):
			alike = append(alike, at)
		}
	}
	if len(found) == 0 {
		found = alike
	}
	if len(found) != 1 {
		return place{}, false
	}
	meantRef := "#/" + s.section + "/" + escapeToken(found[0].tokens[len(tokens)])
	l.ds.Warnf(pos(ref), "dangling-ref", "%s leads to nothing; %s was taken", quoted(ref.Value), inQuotes(meantRef)).
		WithHint("write %s", short(meantRef))
	return found[0], true
}
