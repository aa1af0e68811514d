package policy

import "time"

// The structural keys of an annotation. They are rows of the table as the
// leaves are, but hold no value of an operation.
const (
	keyDependency  Leaf = "dependency"
	keyCriticality Leaf = "criticality"
	keyUse         Leaf = "use"
	keyPolicies    Leaf = "policies"
	keyCompartment Leaf = "compartment"
	keyWaive       Leaf = "waive"
)

// sectionMeanings is what the schema and the documentation say of a section.
var sectionMeanings = map[string]string{
	"expect":           "Facts about the dependency, which the policy is checked against.",
	"timeout":          "How long an attempt and a call may take.",
	"retry":            "When and how a call is sent again.",
	"retry.backoff":    "How long to wait between attempts.",
	"retry.retryAfter": "How far to follow the server's own wish to wait.",
	"retry.verdict":    "The header in which the server says whether to send again.",
	"retry.budget":     "How many repeats the compartment may send beside its first attempts.",
	"breaker":          "When to stop sending to a dependency that fails.",
	"breaker.slowCall": "When an attempt counts as slow.",
	"breaker.probes":   "How recovery is tried out.",
	"bulkhead":         "How many attempts may be in flight at once.",
	"fallback":         "What to answer where the dependency does not.",
	"deadline":         "How the dependency is told how much time is left.",
	"idempotency":      "What sending the operation twice does.",
	"idempotency.key":  "The key by which the server knows a repeat.",
}

func same(text string) Defaults { return Defaults{text, text, text} }

func generalRows() []*Row {
	return []*Row{
		{Leaf: keyDependency, Kind: KindSlug, Places: OnDocument,
			Meaning: "The name of what is called; without it a slug of info.title."},
		{Leaf: keyCriticality, Kind: KindWord, Words: criticalities[1:], Places: OnDocument | OnPath | OnOperation,
			Meaning: "How much the service depends on it, which picks the column of the defaults; standard unless told."},
		{Leaf: keyUse, Kind: KindName, Places: OnDocument | OnPath | OnOperation,
			Meaning: "The named policy that stands directly beneath this place's own leaves."},
		{Leaf: keyPolicies, Kind: KindPolicies, Places: OnDocument | OnFile,
			Meaning: "Named policies for `use`."},
		{Leaf: keyCompartment, Kind: KindSlug, Places: OnPolicy | OnPath | OnOperation,
			Meaning: "A circuit, a bulkhead, a retry budget and a pool of connections of its own, shared by all that name it."},
	}
}

func expectRows() []*Row {
	fact := func(l Leaf, k Kind, meaning string) *Row {
		return &Row{Leaf: l, Kind: k, Min: 1, Places: everywhere, State: true, Meaning: meaning}
	}
	rate := fact(ExpectErrorRate, KindShare, "The share of attempts that fail in normal times.")
	rate.Min = 0
	return []*Row{
		fact(ExpectP99, KindDuration, "The time within which 99 of 100 attempts end in normal times."),
		fact(ExpectP999, KindDuration, "The time within which 999 of 1000 attempts end in normal times."),
		fact(ExpectRate, KindPerTime, "Attempts in normal times."),
		rate,
		fact(ExpectRecovery, KindDuration, "How long the dependency takes to come back after a failure."),
	}
}

func timeoutRows() []*Row {
	limit := func(l Leaf, state bool, d Defaults, meaning, why, source string) *Row {
		return &Row{Leaf: l, Kind: KindDuration, Min: 1, None: true, Places: everywhere, State: state,
			Default: d, Meaning: meaning, Why: why, Source: source}
	}
	return []*Row{
		{Leaf: TimeoutEnabled, Kind: KindBool, Places: everywhere, Meaning: "False: nothing is limited, neither connecting nor an attempt nor the call."},
		limit(TimeoutConnect, true, same("1s"), "The limit of making a connection, TLS included; unwritten, at most the longest attempt.",
			"one to two seconds are enough for TCP and TLS within a region", "S2 \"Fail-Fast Timeouts\""),
		limit(TimeoutAttempt, false, Defaults{"5s", "5s", "2s"}, "The limit of one attempt, from a free slot to the decoded answer; unwritten, at most total ÷ maxAttempts.",
			"a careful guess that fits three attempts where nothing is known, to be replaced by a multiple of the measured p99", "S0 section 4; S1 \"Budget Model\""),
		limit(TimeoutIdle, false, same("30s"), "How long an answer that is being read may stand still.",
			"a stream that says nothing for this long has lost its other end", "S0 section 4"),
		limit(TimeoutTotal, false, Defaults{"15s", "15s", "5s"}, "The limit of the whole call, waits included; unwritten, at most the service's own budget less the deadline margin.",
			"a careful guess that fits three attempts; one deadline, not many durations", "S0 section 4; S4 \"One deadline\""),
		limit(TimeoutMinRemaining, false, same("1ms"), "No wait is slept that would end less than this before the call's end.",
			"an attempt that cannot end in time is not worth starting", "S4 line (2) of the retry"),
	}
}

func waiveRows() []*Row {
	return []*Row{{Leaf: keyWaive, Kind: KindWaivers, Places: OnDocument | OnPath | OnOperation,
		Meaning: "Rules that are silenced here, each with because, until and owner."}}
}

// ns is a least duration for a Row.
const ns = int64(time.Nanosecond)
