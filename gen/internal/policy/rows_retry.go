package policy

func retryRows() []*Row {
	rows := []*Row{
		{Leaf: RetryEnabled, Kind: KindBool, Places: everywhere,
			Meaning: "False: the operation is sent once, not even again where it provably did not go out."},
		{Leaf: RetryMaxAttempts, Kind: KindInt, Min: 1, Max: 10, Places: everywhere, Default: Defaults{"3", "3", "2"},
			Meaning: "All attempts, the first included; 1 is no retry.",
			Why:     "two or three retries bound a transient fault, more add load", Source: "S0 \"Retry budget\"; S1 SERVICE_RETRY_CONFIG"},
		{Leaf: RetryWhen, Kind: KindStatuses, Words: []string{"connection", "timeout"}, Places: everywhere,
			Default: same("408 425 429 502 503 504 connection timeout"),
			Meaning: "What is worth another attempt: statuses, ranges, timeout, connection.",
			Why:     "transient against permanent; not 500, which may have done the work, and never another 4xx", Source: "S2 \"HTTP Response Status Classification\""},
		{Leaf: RetryNotSent, Kind: KindInt, Min: 0, Max: 1, Places: everywhere, Default: same("1"),
			Meaning: "Repeats of an unsafe write that provably did not go out.",
			Why:     "what was not sent cannot happen twice", Source: "S2 \"HTTP Response Status Classification\""},
	}
	return append(append(rows, backoffRows()...), append(retryAfterRows(), budgetRows()...)...)
}

func backoffRows() []*Row {
	const why, source = "dependencies that recover in 50 to 200 ms; full jitter spreads callers most", "S0 \"Exponential backoff with jitter\"; S1; S2"
	return []*Row{
		{Leaf: RetryBackoffInitial, Kind: KindDuration, Places: everywhere, Default: same("100ms"), Why: why, Source: source,
			Meaning: "The wait before the first repeat, at most."},
		{Leaf: RetryBackoffMax, Kind: KindDuration, Places: everywhere, Default: same("2s"), Why: why, Source: source,
			Meaning: "The longest wait between two attempts."},
		{Leaf: RetryBackoffMultiplier, Kind: KindFactor, Min: 1000, Max: 10000, Places: everywhere, Default: same("2"), Why: why, Source: source,
			Meaning: "By how much the wait grows from one repeat to the next."},
		{Leaf: RetryBackoffJitter, Kind: KindWord, Words: []string{"full", "equal", "decorrelated", "none"}, Places: everywhere, Default: same("full"), Why: why, Source: source,
			Meaning: "How the wait is drawn: full between 0 and it, equal between half and all of it, decorrelated from the last one, none exactly it."},
	}
}

func retryAfterRows() []*Row {
	return []*Row{
		{Leaf: RetryAfterMax, Kind: KindDuration, Places: everywhere, Default: Defaults{"5s", "5s", "1s"},
			Meaning: "The longest wait named by the server that is waited for; beyond it the call ends at once.",
			Why:     "a caller is waiting too: a longer wish is an answer, not a pause", Source: "S4 line (2) of the retry"},
		{Leaf: RetryAfterHeaders, Kind: KindNames, Places: everywhere, Default: same("Retry-After"),
			Meaning: "The headers in which the server names a wait.",
			Why:     "the one that the standard names", Source: "RFC 9110 section 10.2.3"},
		{Leaf: RetryVerdictEnabled, Kind: KindBool, Places: everywhere,
			Meaning: "False: the server's own word is not read."},
		{Leaf: RetryVerdictHeader, Kind: KindName, Places: everywhere,
			Meaning: "The header with the server's own word whether to send again."},
		{Leaf: RetryVerdictRetry, Kind: KindText, Places: everywhere, Default: same("true"),
			Meaning: "The header's value that means: send again.",
			Why:     "what the known ones send", Source: "Stripe-Should-Retry; x-should-retry"},
		{Leaf: RetryVerdictWhenAbsent, Kind: KindWord, Words: []string{"judge", "stop"}, Places: everywhere, Default: same("judge"),
			Meaning: "What an answer without the header means: judge as if there were none, or stop.",
			Why:     "an absent header says nothing", Source: "Stripe-Should-Retry"},
	}
}

func budgetRows() []*Row {
	const why, source = "10 to 20 % of the traffic at most, with a small floor for quiet times", "S1; S2; Finagle"
	return []*Row{
		{Leaf: RetryBudgetEnabled, Kind: KindBool, Places: everywhere, State: true,
			Meaning: "False: repeats are not limited for the compartment."},
		{Leaf: RetryBudgetRatio, Kind: KindShare, Step: basisPoint, Places: everywhere, State: true, Default: Defaults{"20%", "20%", "10%"}, Why: why, Source: source,
			Meaning: "Repeats allowed, as a share of the first attempts sent in the window."},
		{Leaf: RetryBudgetFloor, Kind: KindPerTime, Step: whole, Places: everywhere, State: true, Default: same("1/s"), Why: why, Source: source,
			Meaning: "Repeats allowed besides, however little is sent."},
		{Leaf: RetryBudgetWindow, Kind: KindDuration, Min: ns, Places: everywhere, State: true, Default: same("10s"), Why: why, Source: source,
			Meaning: "The time over which attempts and repeats are counted."},
	}
}
