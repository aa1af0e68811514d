package gen

import (
	"regexp"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A Filter selects operations. An operation is selected if any of the lists
// names it; the empty Filter selects none.
type Filter struct {
	Operations []string // operation ids
	Tags       []string // tags
	Paths      []string // globs over the path template: * within a segment, ** across them
}

// Empty reports whether the filter names nothing.
func (f Filter) Empty() bool {
	return len(f.Operations)+len(f.Tags)+len(f.Paths) == 0
}

// ParseFilter makes a filter from a flag's values: each an operation id, a tag
// or, where it begins like a path, a glob. Ids may hold slashes ("repos/get").
func ParseFilter(words []string) Filter {
	var f Filter
	for _, w := range words {
		if strings.HasPrefix(w, "/") || strings.HasPrefix(w, "*") {
			f.Paths = append(f.Paths, w)
			continue
		}
		f.Operations = append(f.Operations, w)
		f.Tags = append(f.Tags, w)
	}
	return f
}

// matches reports whether the filter selects the operation.
func (f Filter) matches(op *model.Operation) bool {
	if slices.Contains(f.Operations, op.ID) || slices.Contains(f.Operations, op.Name) {
		return true
	}
	for _, tag := range op.Tags {
		if slices.Contains(f.Tags, tag) {
			return true
		}
	}
	return slices.ContainsFunc(f.Paths, func(glob string) bool { return matchPath(glob, op.Path) })
}

// words are the filter's entries, for messages and to find those that select
// nothing.
func (f Filter) words() []string {
	all := slices.Concat(f.Operations, f.Tags, f.Paths)
	slices.Sort(all)
	return slices.Compact(all)
}

// only is the part of the filter that bears one word.
func (f Filter) only(word string) Filter {
	keep := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s != word })
	}
	return Filter{Operations: keep(f.Operations), Tags: keep(f.Tags), Paths: keep(f.Paths)}
}

// matchPath matches a path template against a glob. Only stars have a meaning,
// so that a template can be written as it stands in the spec.
func matchPath(glob, template string) bool {
	pattern := regexp.QuoteMeta(glob)
	pattern = strings.NewReplacer(`\*\*`, `.*`, `\*`, `[^/]*`).Replace(pattern)
	return regexp.MustCompile("^(?s:" + pattern + ")$").MatchString(template)
}
