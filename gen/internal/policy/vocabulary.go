package policy

import (
	"fmt"
	"slices"
	"strings"
)

// A Row is one leaf of the vocabulary: everything that parser, schema, record,
// documentation and explain know of it.
type Row struct {
	Leaf    Leaf
	Kind    Kind
	Places  Places
	State   bool     // belongs to a compartment: may be written only where one begins
	Min     int64    // Int: least value; Duration: least in nanoseconds; Factor: in thousandths; Statuses, Meanings: least status
	Max     int64    // Int, Factor: greatest value; 0: no bound
	Step    int64    // Share, PerTime: the finest part that the runtime knows, in millionths (of an event a minute)
	None    bool     // Duration: may be `none`
	Exact   bool     // Statuses, Meanings: no ranges
	Words   []string // Word: the words, Set: words besides statuses
	Default Defaults // canonical texts; empty: no value without being written or derived
	Meaning string   // one sentence
	Why     string   // reason of the default; empty without one
	Source  string   // where the reason is from
	Later   bool     // its effect is not built: refused with "not supported yet"
}

// Defaults are the texts of a default for critical, standard and enhancement.
type Defaults [3]string

// For is the column of a criticality.
func (d Defaults) For(c Criticality) string { return d[int(c)-int(Critical)] }

// Kind is the type of a leaf.
type Kind int

// The kinds of leaves. The zero Kind is not valid.
const (
	_            Kind = iota
	KindDuration      // 800ms
	KindInt           // 3
	KindFactor        // 1.5
	KindShare         // 25% or 0.25
	KindPerTime       // 50/s
	KindWord          // one of Words
	KindSlug          // lower-case letters and digits in groups joined by - _ .
	KindName          // a header's or parameter's name
	KindNames         // a set of headers' names
	KindText          // any text but the empty one
	KindPointer       // JSON pointer
	KindBool          // true or false
	KindStatuses      // a set of statuses, ranges and Words
	KindMeanings      // what statuses mean under a key
	KindJSON          // any value
	KindPolicies      // named policies
	KindWaivers       // a list of waivers
)

// Places is a set of places where a key may stand.
type Places int

// The places. A row with State may stand on a path item or an operation only
// where that begins a compartment.
const (
	OnDocument Places = 1 << iota
	OnFile
	OnPolicy
	OnPath
	OnOperation

	everywhere = OnDocument | OnFile | OnPolicy | OnPath | OnOperation
)

// String names the places as annotations are documented: "D F N P O".
func (p Places) String() string {
	var out []string
	for i, letter := range []string{"D", "F", "N", "P", "O"} {
		if p&(1<<i) != 0 {
			out = append(out, letter)
		}
	}
	return strings.Join(out, " ")
}

// phrase names a single place in a message.
func (p Places) phrase() string {
	switch p {
	case OnDocument:
		return "the document's root"
	case OnFile:
		return "a policy file"
	case OnPolicy:
		return "a named policy"
	case OnPath:
		return "a path item"
	case OnOperation:
		return "an operation"
	}
	panic(fmt.Sprintf("policy: places %d", int(p)))
}

// phrases lists places in a message: "the document's root or a policy file".
func (p Places) phrases() string {
	var out []string
	for one := OnDocument; one <= OnOperation; one <<= 1 {
		if p&one != 0 {
			out = append(out, one.phrase())
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return strings.Join(out[:len(out)-1], ", ") + " or " + out[len(out)-1]
}

// A Section is a map of the vocabulary: timeout, retry, retry.backoff …
type Section struct {
	Path     string // dotted; empty: the annotation itself
	Meaning  string
	Rows     []*Row // leaves directly in it, in order
	Sections []*Section
}

// key is the last word of the section's path.
func (s *Section) key() string { return s.Path[strings.LastIndexByte(s.Path, '.')+1:] }

// key is the last word of the leaf's path.
func (r *Row) key() string { return string(r.Leaf[strings.LastIndexByte(string(r.Leaf), '.')+1:]) }

// section is the path of the section in which the leaf stands.
func (l Leaf) section() string {
	i := strings.LastIndexByte(string(l), '.')
	if i < 0 {
		return ""
	}
	return string(l[:i])
}

// row finds a leaf directly in the section.
func (s *Section) row(key string) *Row {
	for _, r := range s.Rows {
		if r.key() == key {
			return r
		}
	}
	return nil
}

// sub finds a section directly in the section.
func (s *Section) sub(key string) *Section {
	for _, c := range s.Sections {
		if c.key() == key {
			return c
		}
	}
	return nil
}

// reasonKeys may stand in every section.
var reasonKeys = []string{"because", "owner", "until"}

// keys are all the keys that the section knows, at some place or other.
func (s *Section) keys() []string {
	var out []string
	for _, r := range s.Rows {
		out = append(out, r.key())
	}
	for _, c := range s.Sections {
		out = append(out, c.key())
	}
	return append(out, reasonKeys...)
}

// A vocabulary is the table and the tree of sections made from it. There is
// one, but tests make others.
type vocabulary struct {
	rows  []*Row
	root  *Section
	order map[Leaf]int

	// defaults are the values of a column, by row, for the leaves that belong
	// to a compartment (true) or not; the zero Value where there is none.
	defaults map[Criticality]map[bool][]Value
}

var words = newVocabulary(slices.Concat(generalRows(), expectRows(), timeoutRows(), retryRows(), breakerRows(),
	bulkheadRows(), fallbackRows(), deadlineRows(), idempotencyRows(), waiveRows()))

func newVocabulary(rows []*Row) *vocabulary {
	v := &vocabulary{rows: rows, root: &Section{}, order: map[Leaf]int{}, defaults: map[Criticality]map[bool][]Value{}}
	for c := Critical; c <= Enhancement; c++ {
		v.defaults[c] = map[bool][]Value{true: make([]Value, len(rows)), false: make([]Value, len(rows))}
		for i, r := range rows {
			if text := r.Default.For(c); text != "" {
				v.defaults[c][r.State][i] = defaultValue(r, text)
			}
		}
	}
	for i, r := range rows {
		v.order[r.Leaf] = i
		sec := v.root
		path := strings.Split(string(r.Leaf), ".")
		for j := range path[:len(path)-1] {
			sub := sec.sub(path[j])
			if sub == nil {
				name := strings.Join(path[:j+1], ".")
				sub = &Section{Path: name, Meaning: sectionMeanings[name]}
				sec.Sections = append(sec.Sections, sub)
			}
			sec = sub
		}
		sec.Rows = append(sec.Rows, r)
	}
	return v
}

func (v *vocabulary) row(l Leaf) *Row {
	i, ok := v.order[l]
	if !ok {
		panic(fmt.Sprintf("policy: leaf %q is not in the vocabulary", l))
	}
	return v.rows[i]
}

// elsewhere lists the paths at which a key exists in other sections.
func (v *vocabulary) elsewhere(key string) []string {
	var out []string
	for _, r := range v.rows {
		if r.key() == key {
			out = append(out, string(r.Leaf))
		}
	}
	var walk func(*Section)
	walk = func(s *Section) {
		for _, c := range s.Sections {
			if c.key() == key {
				out = append(out, c.Path)
			}
			walk(c)
		}
	}
	walk(v.root)
	return out
}

// Vocabulary is the table in its order, for documentation.
func Vocabulary() []*Row { return slices.Clone(words.rows) }

// RowOf is the table's row of a leaf. It panics on a leaf that is none.
func RowOf(l Leaf) *Row { return words.row(l) }
