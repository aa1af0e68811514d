package diff

import (
	"fmt"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// directionOf is the direction of a line's change, and why. Where nothing is
// known of the key it is Changed.
func directionOf(l leafChange) (Direction, string) {
	switch {
	case l.reason:
		return ofReason(l)
	case strings.HasPrefix(l.key, "waive "):
		return ofWaiver(l)
	case strings.HasSuffix(l.key, ".enabled"):
		return ofSwitch(l)
	}
	if judge, ok := judges[l.key]; ok {
		return judge(l)
	}
	return Changed, ""
}

// A judge gives a change of one leaf its direction.
type judge func(leafChange) (Direction, string)

// judges holds what is known of each leaf. A leaf that is not there has no
// more or less of protection: expect.*, criticality, owner, formats.
var judges = map[string]judge{
	"class":        ofClass,
	"key":          ofKey,
	"key.statuses": ofStatuses,
	"rejects":      ofClaim("that nothing was done"),
	"alreadyDone":  ofClaim("that it worked before"),

	string(policy.RetryMaxAttempts): ofAttempts,
	string(policy.RetryWhen):        ofWhen,

	string(policy.TimeoutConnect): more("a hang is noticed later", "a hang is noticed earlier"),
	string(policy.TimeoutAttempt): more("a hang holds a slot longer", "a hang holds a slot less long"),
	string(policy.TimeoutIdle):    more("a hung stream is noticed later", "a hung stream is noticed earlier"),
	string(policy.TimeoutTotal):   ofTotal,
	string(policy.RetryNotSent):   more("what was not sent is tried again", "what was not sent is not tried again"),

	string(policy.RetryVerdictWhenAbsent): ofVerdict,

	string(policy.RetryBackoffInitial):    less("repeats come sooner", "repeats come later"),
	string(policy.RetryBackoffMax):        less("repeats come sooner", "repeats come later"),
	string(policy.RetryBackoffMultiplier): less("repeats come sooner", "repeats come later"),
	string(policy.RetryBackoffJitter):     ofJitter,
	string(policy.RetryAfterHeaders):      fewer("a wait that the server names is not heeded", "more waits that the server names are heeded"),
	string(policy.RetryBudgetRatio):       more("more repeats in an outage", "fewer repeats in an outage"),
	string(policy.RetryBudgetFloor):       more("more repeats in an outage", "fewer repeats in an outage"),

	string(policy.BreakerMode):            ofWords("enforce", "observe", "the circuit only watches", "the circuit refuses calls again"),
	string(policy.BreakerFailureRate):     more("the circuit opens less readily", "the circuit opens more readily"),
	string(policy.BreakerConsecutive):     more("the circuit opens less readily", "the circuit opens more readily"),
	string(policy.BreakerMinimumCalls):    more("the circuit opens less readily", "the circuit opens more readily"),
	string(policy.BreakerSlowCallOver):    more("the circuit opens less readily", "the circuit opens more readily"),
	string(policy.BreakerSlowCallRate):    more("the circuit opens less readily", "the circuit opens more readily"),
	string(policy.BreakerOpenFor):         less("the circuit is tried again sooner", "the circuit rests longer"),
	string(policy.BreakerOpenMax):         less("a flapping circuit is tried again sooner", "a flapping circuit rests longer"),
	string(policy.BreakerProbesCount):     less("fewer probes decide recovery", "more probes decide recovery"),
	string(policy.BreakerProbesSuccesses): less("fewer successes close the circuit", "more successes are needed to close the circuit"),
	string(policy.BreakerCounts):          fewer("fewer answers count as failures", "more answers count as failures"),

	string(policy.BulkheadMaxConcurrent): more("one dependency may hold more", "one dependency may hold less"),
	string(policy.BulkheadMaxQueue):      more("more calls may wait", "fewer calls may wait"),
	string(policy.BulkheadMaxWait):       ofMaxWait,

	string(policy.FallbackKind):      ofFallback,
	string(policy.FallbackMaxAge):    more("older answers are given", "only younger answers are given"),
	string(policy.FallbackVary):      fewer("answers are shared more widely", "answers are shared less widely"),
	string(policy.FallbackPrincipal): ofPrincipal,

	string(policy.DeadlineHeader): ofDeadline,
	string(policy.DeadlineMargin): less("less time is kept back", "more time is kept back"),
}

// more judges leaves of which more means less protection.
func more(raised, lowered string) judge {
	return func(l leafChange) (Direction, string) { return moreWeakens(l.old.Value, l.new.Value, raised, lowered) }
}

// less judges leaves of which less means less protection.
func less(lowered, raised string) judge {
	return func(l leafChange) (Direction, string) {
		return moreWeakens(l.new.Value, l.old.Value, lowered, raised)
	}
}

func moreWeakens(old, new, raised, lowered string) (Direction, string) {
	order, ok := compareQuantities(new, old)
	switch {
	case !ok || order == 0:
		return Changed, ""
	case order > 0:
		return Weakened, raised
	}
	return Tightened, lowered
}

// fewer judges sets of which fewer members mean less protection.
func fewer(lostWhy, gainedWhy string) judge {
	return func(l leafChange) (Direction, string) {
		switch gained, lost := setDifference(l.old.Value, l.new.Value); {
		case len(lost) > 0:
			return Weakened, lostWhy + ": " + strings.Join(lost, " ")
		case len(gained) > 0:
			return Tightened, gainedWhy + ": " + strings.Join(gained, " ")
		}
		return Changed, ""
	}
}

// ofWords judges leaves with a strong and a weak word.
func ofWords(strong, weak, weakened, tightened string) judge {
	return func(l leafChange) (Direction, string) {
		switch {
		case l.new.Value == weak:
			return Weakened, weakened
		case l.old.Value == weak && (l.new.Value == strong || l.new.Value == ""):
			return Tightened, tightened
		}
		return Changed, ""
	}
}

// ofSwitch judges a section's `enabled`.
func ofSwitch(l leafChange) (Direction, string) {
	section := strings.TrimSuffix(l.key, ".enabled")
	isOff, wasOff := l.new.Value == "false", l.old.Value == "false"
	switch {
	case section == "retry" && isOff:
		return Tightened, "nothing is sent again"
	case section == "retry" && wasOff:
		return retryWidened(l, "retry is on")
	case isOff:
		return Weakened, section + " is off"
	case wasOff:
		return Tightened, section + " is on"
	}
	return Changed, ""
}

// ofMaxWait judges how long a call waits for a slot; without a queue there is
// no such time.
func ofMaxWait(l leafChange) (Direction, string) {
	switch {
	case l.new.Value == "":
		return Tightened, "no call waits"
	case l.old.Value == "":
		return Weakened, "calls may wait"
	}
	return moreWeakens(l.old.Value, l.new.Value, "calls may wait longer", "calls may wait less long")
}

func ofJitter(l leafChange) (Direction, string) {
	switch {
	case l.new.Value == "none":
		return Weakened, "clients that failed together come back together"
	case l.old.Value == "none":
		return Tightened, "clients that failed together come back apart"
	}
	return Changed, ""
}

func ofFallback(l leafChange) (Direction, string) {
	none := func(v string) bool { return v == "" || v == "none" }
	switch {
	case none(l.new.Value) && !none(l.old.Value):
		return Weakened, "nothing answers instead any more"
	case none(l.old.Value) && !none(l.new.Value):
		return Tightened, "something answers instead"
	}
	return Changed, ""
}

func ofPrincipal(l leafChange) (Direction, string) {
	switch {
	case l.new.Value == "shared":
		return Weakened, "an answer is shared among all callers"
	case l.old.Value == "shared":
		return Tightened, "an answer is kept apart for each caller"
	}
	return Changed, ""
}

func ofDeadline(l leafChange) (Direction, string) {
	switch {
	case l.new.Value == "":
		return Weakened, "the dependency is no longer told what time is left"
	case l.old.Value == "":
		return Tightened, "the dependency is told what time is left"
	}
	return Changed, ""
}

// ofWaiver judges a waiver that came, went or changed.
func ofWaiver(l leafChange) (Direction, string) {
	rule := strings.TrimPrefix(l.key, "waive ")
	switch {
	case len(l.old.Origins) == 0 && l.old.Value == "":
		return Weakened, "a waiver of " + rule + " was added"
	case len(l.new.Origins) == 0 && l.new.Value == "":
		return Tightened, "the waiver of " + rule + " is gone"
	}
	return ofReason(l)
}

// ofReason judges a reason whose words or date changed.
func ofReason(l leafChange) (Direction, string) {
	was, is := l.old.Until, l.new.Until
	switch {
	case was == is && l.old.Because == "" && l.new.Because != "":
		return Changed, "a reason is given"
	case was == is && l.old.Because != "" && l.new.Because == "":
		return Changed, "the reason is gone"
	case was == is:
		return Changed, "the reason has other words"
	case was != "" && (is == "" || is > was):
		return Weakened, fmt.Sprintf("its date moved out from %s", was)
	}
	return Tightened, fmt.Sprintf("its date moved in to %s", is)
}
