package policy

func breakerRows() []*Row {
	state := func(l Leaf, k Kind, d Defaults, meaning, why, source string) *Row {
		r := &Row{Leaf: l, Kind: k, Places: everywhere, State: true, Default: d, Meaning: meaning, Why: why, Source: source}
		switch k {
		case KindDuration, KindInt:
			r.Min = 1
		case KindShare:
			r.Min, r.Step = 1, basisPoint
		}
		return r
	}
	const s1 = "S1 DEFAULT_CIRCUIT_CONFIG; S0 section 1"
	const quick, quickSource = "no trip on one failed call of one, and breathing room for a restart; critical ones must trip fast", s1
	const slow, slowSource = "slow answers hold slots: the most dangerous mode", "S0 section 1 \"failure mode inventory\""
	const probe, probeSource = "one probe alone trips again by chance", "S1; S0 \"half-open state probe rate\""
	rows := []*Row{
		state(BreakerEnabled, KindBool, Defaults{}, "False: no circuit breaker.", "", ""),
		state(BreakerMode, KindWord, same("enforce"), "Whether an open circuit refuses calls or is only reported.",
			"a breaker that refuses nothing protects nothing", s1),
		state(BreakerFailureRate, KindShare, Defaults{"25%", "50%", "75%"}, "The share of failed attempts in the window that opens the circuit.",
			"lower for payments and sign-in, higher for enrichment", "S1 \"Configuration guidelines\""),
		state(BreakerConsecutive, KindInt, Defaults{}, "So many failures in a row open the circuit too.", "", ""),
		state(BreakerSlowCallEnabled, KindBool, Defaults{}, "False: slow attempts are not counted.", "", ""),
		state(BreakerSlowCallOver, KindDuration, Defaults{}, "An attempt that has run this long is slow, however it ends; unwritten, 3 × p99 but at most ¾ of the attempt limit, half of it without p99.",
			slow, slowSource),
		state(BreakerSlowCallRate, KindShare, same("80%"), "The share of slow attempts in the window that opens the circuit.", slow, slowSource),
		state(BreakerWindow, KindDuration, Defaults{"30s", "1m", "1m"}, "The time over which attempts are counted.", quick, quickSource),
		state(BreakerMinimumCalls, KindInt, Defaults{"10", "10", "20"}, "So many attempts in the window before a rate says anything.", quick, quickSource),
		state(BreakerOpenFor, KindDuration, Defaults{"30s", "30s", "1m"}, "How long an open circuit refuses calls before it tries again.", quick, quickSource),
		state(BreakerOpenMax, KindDuration, Defaults{"5m", "5m", "10m"}, "How far that time grows while the circuit opens again and again.",
			"a circuit closed on partial recovery and tripped three times in 18 minutes", "S0 \"The checkout cascade\""),
		state(BreakerProbesCount, KindInt, Defaults{"5", "3", "3"}, "Attempts that try out a recovery.", probe, probeSource),
		state(BreakerProbesSuccesses, KindInt, Defaults{"4", "2", "2"}, "How many of them must succeed to close the circuit.", probe, probeSource),
	}
	rows[1].Words = []string{"enforce", "observe"}
	return append(rows, &Row{Leaf: BreakerCounts, Kind: KindStatuses, Places: everywhere, Default: same("5XX !501 !505"),
		Meaning: "Statuses that the breaker counts as failures.",
		Why:     "what says that the server is in trouble, not the request", Source: "S2 \"HTTP Response Status Classification\""})
}

func bulkheadRows() []*Row {
	const why, source = "one outage fills its own pool only; to be sized by a load test and L = λW", "S1; S2 \"Little's Law\""
	return []*Row{
		{Leaf: BulkheadEnabled, Kind: KindBool, Places: everywhere, State: true, Meaning: "False: no limit of concurrency."},
		{Leaf: BulkheadMaxConcurrent, Kind: KindInt, Min: 1, Places: everywhere, State: true, Default: Defaults{"64", "64", "16"}, Why: why, Source: source,
			Meaning: "Attempts in flight at once."},
		{Leaf: BulkheadMaxQueue, Kind: KindInt, Places: everywhere, State: true, Default: Defaults{"128", "128", "0"}, Why: why, Source: source,
			Meaning: "Attempts that may wait for a free slot."},
		{Leaf: BulkheadMaxWait, Kind: KindDuration, Places: everywhere, State: true, Default: same("100ms"), Why: why, Source: source,
			Meaning: "How long one may wait for a free slot; without a queue there is nothing to wait in."},
	}
}

func fallbackRows() []*Row {
	return []*Row{
		{Leaf: FallbackEnabled, Kind: KindBool, Places: everywhere, Meaning: "False: nothing is answered instead, as kind: none."},
		{Leaf: FallbackKind, Kind: KindWord, Words: []string{"none", "static", "stale", "caller"}, Places: everywhere, Default: same("none"),
			Meaning: "What is answered instead: nothing, a fixed value, an old copy, or what a function of the caller's gives.",
			Why:     "the honest answer, until somebody knows a better one", Source: "S0; S1"},
		{Leaf: FallbackMaxAge, Kind: KindDuration, Min: ns, Places: everywhere,
			Meaning: "How old a stale copy may be."},
		{Leaf: FallbackValue, Kind: KindJSON, Places: everywhere,
			Meaning: "The value of a static fallback."},
		{Leaf: FallbackVary, Kind: KindNames, Places: everywhere,
			Meaning: "Request headers that tell kept answers apart, besides those of Vary."},
		{Leaf: FallbackCoalesce, Kind: KindBool, Places: everywhere, Default: same("false"),
			Meaning: "Whether identical reads at the same time are sent once.",
			Why:     "only who knows the operation can say that its answers may be shared", Source: "S1"},
		{Leaf: FallbackPrincipal, Kind: KindWord, Words: []string{"credential", "context", "shared"}, Places: everywhere, Default: same("credential"),
			Meaning: "Who may share a kept answer: calls with the same credential, with the same rt.WithPrincipal, or all.",
			Why:     "one user's data must never reach another", Source: "S0; S1"},
	}
}

func deadlineRows() []*Row {
	return []*Row{
		{Leaf: DeadlineEnabled, Kind: KindBool, Places: everywhere, Meaning: "False: the dependency is not told how much time is left."},
		{Leaf: DeadlineHeader, Kind: KindName, Places: everywhere,
			Meaning: "The request header that tells the dependency how much time is left; without it none is sent."},
		{Leaf: DeadlineFormat, Kind: KindWord, Words: []string{"remaining", "timestamp"}, Places: everywhere, Default: same("remaining"),
			Meaning: "Milliseconds that remain, or an RFC 3339 time.",
			Why:     "clocks differ", Source: "S0; S1; S2"},
		{Leaf: DeadlineMargin, Kind: KindDuration, Places: everywhere, Default: same("20ms"),
			Meaning: "How much earlier the dependency should give up than we do.",
			Why:     "the answer needs time to travel, and our timer must fire before the caller's", Source: "S4 \"One deadline\""},
		{Leaf: DeadlineMaxSkew, Kind: KindDuration, Places: everywhere,
			Meaning: "By how much the clocks may differ where a time is sent."},
	}
}

// leastFailure is the first status that is no success: those below it mean
// what they always mean.
const leastFailure = 300

func idempotencyRows() []*Row {
	own := OnOperation | OnPolicy
	return []*Row{
		{Leaf: IdempotencyClass, Kind: KindWord, Words: classes[1:], Places: own,
			Meaning: "What sending twice does; without it what the method proves, and unsafe on POST and PATCH."},
		{Leaf: Rejects, Kind: KindStatuses, Min: leastFailure, Places: own,
			Meaning: "Statuses of which the provider says that nothing was done."},
		{Leaf: AlreadyDone, Kind: KindStatuses, Min: leastFailure, Exact: true, Places: own,
			Meaning: "Statuses that mean that an earlier attempt of the same call worked."},
		{Leaf: KeyEnabled, Kind: KindBool, Places: everywhere, Meaning: "False: no key is sent, even where the spec declares one."},
		{Leaf: KeyPlace, Kind: KindWord, Words: keyPlaces[1:], Places: everywhere,
			Meaning: "Where the key travels."},
		{Leaf: KeyName, Kind: KindName, Places: everywhere,
			Meaning: "The header or query parameter of the key."},
		{Leaf: KeyPointer, Kind: KindPointer, Places: everywhere,
			Meaning: "The place of the key in the request body."},
		{Leaf: KeyMaxLength, Kind: KindInt, Min: 1, Places: everywhere,
			Meaning: "The longest key that the server takes."},
		{Leaf: KeyGenerate, Kind: KindWord, Words: generates[1:], Places: everywhere, Default: same("auto"),
			Meaning: "auto: one is made where the caller gives none; caller: the caller must give one.",
			Why:     "one key a logical operation, also where nobody thought of it", Source: "S0 \"idempotency surface\""},
		{Leaf: KeyRetention, Kind: KindDuration, Min: ns, Places: everywhere,
			Meaning: "How long the server knows a key; where it is unknown, a key serves one call only."},
		{Leaf: KeyStores, Kind: KindWord, Words: storesWords[1:], Places: everywhere, Default: same("errors"),
			Meaning: "errors: a server error is stored and comes back for ever; success: failures run again.",
			Why:     "the careful assumption: a stored error is not worth another attempt", Source: "S0 \"idempotency surface\""},
		{Leaf: KeyStatuses, Kind: KindMeanings, Min: leastFailure, Exact: true, Words: meanings[1:], Places: everywhere,
			Meaning: "What an answer means there: in-flight, done, mismatch, new-key."},
		{Leaf: KeyReplayed, Kind: KindName, Places: everywhere,
			Meaning: "The header that marks a stored answer."},
	}
}
