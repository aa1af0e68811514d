package policy

import "fmt"

// A Class says what sending an operation twice does.
type Class int

// The classes. The zero Class is not valid.
const (
	_          Class = iota
	Safe             // it writes nothing
	Idempotent       // twice is once
	Keyed            // twice is once, because both bear the same key
	Unsafe           // twice is twice
)

// String is the word of the vocabulary.
func (c Class) String() string { return word("class", classes, int(c)) }

// Criticality picks a column of the defaults.
type Criticality int

// The criticalities. The zero Criticality is not valid.
const (
	_ Criticality = iota
	Critical
	Standard
	Enhancement
)

// String is the word of the vocabulary.
func (c Criticality) String() string { return word("criticality", criticalities, int(c)) }

// KeyIn says where an idempotency key travels.
type KeyIn int

// The places of a key.
const (
	_ KeyIn = iota
	KeyInHeader
	KeyInQuery
	KeyInBody
)

// String is the word of the vocabulary.
func (k KeyIn) String() string { return word("place of a key", keyPlaces, int(k)) }

// Generate says who makes a key.
type Generate int

// The makers.
const (
	_              Generate = iota
	GenerateAuto            // a random one a call, where the caller gives none
	GenerateCaller          // the caller must give one
)

// String is the word of the vocabulary.
func (g Generate) String() string { return word("generate", generates, int(g)) }

// Stores says what the server keeps under a key.
type Stores int

// What servers store.
const (
	_ Stores = iota
	StoresErrors
	StoresSuccess
)

// String is the word of the vocabulary.
func (s Stores) String() string { return word("stores", storesWords, int(s)) }

// A Meaning is what an answer means for an operation with a key.
type Meaning int

// The meanings.
const (
	_        Meaning = iota
	InFlight         // another call with this key is at work: asked again
	Done             // it worked before
	Mismatch         // the key was used for another request: permanent
	NewKey           // the key is dead, another would be needed: permanent
)

// String is the word of the vocabulary.
func (m Meaning) String() string { return word("meaning", meanings, int(m)) }

var (
	classes       = []string{"", "safe", "idempotent", "keyed", "unsafe"}
	criticalities = []string{"", "critical", "standard", "enhancement"}
	keyPlaces     = []string{"", "header", "query", "body"}
	generates     = []string{"", "auto", "caller"}
	storesWords   = []string{"", "errors", "success"}
	meanings      = []string{"", "in-flight", "done", "mismatch", "new-key"}
)

func word(what string, words []string, i int) string {
	if i < 1 || i >= len(words) {
		panic(fmt.Sprintf("policy: %s %d", what, i))
	}
	return words[i]
}

// index is the place of a word in its list, 0 where it is none of them.
func index(words []string, w string) int {
	for i := 1; i < len(words); i++ {
		if words[i] == w {
			return i
		}
	}
	return 0
}
