package runtime

import (
	"fmt"

	"github.com/resgen-dev/resgen/runtime/internal/breaker"
)

// This file is the one table that says what an end of an attempt means.
// Breaker, retry, fallback, outcome and metrics read nothing else.

// A happening is how an attempt, or the try to make one, ended.
type happening uint8

const (
	_ happening = iota
	badInput
	noCredentials
	circuitIsOpen
	bulkheadIsFull
	isOnHold
	keyIsDead
	noConnection
	identityRefused
	streamRefused
	connectionBroke
	attemptLimit
	totalLimit
	callerDeadline
	callerCanceled
	answered
	answerMalformed
	answerTruncated
	answerIdle
	redirectNotFollowed
	refused
	status408
	keyInFlight
	status421
	status425
	status429
	serverError
	notImplemented
	gatewayError
	unavailable
	unavailableUntil
	remoteCircuitOpen
	remoteDeadline
	markedPermanent
	lastHappening
)

// Repeats of operations that may be repeated (class safe, idempotent or keyed).
type repeats uint8

const (
	_          repeats = iota
	never              // whatever the policy lists; a wait, too, would not help
	ends               // the loop ends at once: no sleep, no attempt
	ifListed           // where retry.when lists it
	always             // whatever the policy lists: the key makes it right
	onceMore           // one time, whatever the policy lists
	noTimeLeft         // it is worth a repeat, for which there is no time
)

// A row of the table. unsafe says when an unsafe write is repeated: only ever
// once, or for the statuses that the provider says did nothing.
type row struct {
	class    ErrorClass
	breaker  breaker.Verdict
	repeat   repeats
	unsafe   unsafeRepeats
	fallback bool
	outcome  Outcome
}

type unsafeRepeats uint8

const (
	_                unsafeRepeats = iota
	unsafeNever                    // it may have been done
	unsafeOnce                     // it was not: once more
	unsafeIfRejected               // only where the status stands in rejects
)

const (
	f = breaker.Failure
	s = breaker.Success
	n = breaker.Neutral
)

// The outcome of noConnection, streamRefused, remoteCircuitOpen and attemptLimit holds
// where it is proven; see sent.go.
var table = [lastHappening]row{
	badInput:            {ClassInput, n, never, unsafeNever, false, NotSent},
	noCredentials:       {ClassAuth, n, never, unsafeNever, true, NotSent},
	circuitIsOpen:       {ClassCircuitOpen, n, ends, unsafeNever, true, NotSent},
	bulkheadIsFull:      {ClassBulkheadFull, n, ends, unsafeNever, true, NotSent},
	isOnHold:            {ClassOverload, n, ends, unsafeNever, true, NotSent},
	keyIsDead:           {ClassInput, n, ends, unsafeNever, false, NotSent},
	noConnection:        {ClassTransient, f, ifListed, unsafeOnce, true, NotSent},
	identityRefused:     {ClassPermanent, f, never, unsafeNever, true, NotSent},
	streamRefused:       {ClassTransient, f, ifListed, unsafeOnce, true, NotSent},
	connectionBroke:     {ClassTransient, f, ifListed, unsafeNever, true, Unknown},
	attemptLimit:        {ClassTimeout, f, ifListed, unsafeNever, true, Unknown},
	totalLimit:          {ClassTimeout, n, noTimeLeft, unsafeNever, true, Unknown},
	callerDeadline:      {ClassTimeout, n, never, unsafeNever, false, Unknown},
	callerCanceled:      {ClassCanceled, n, never, unsafeNever, false, Unknown},
	answered:            {0, s, never, unsafeNever, false, Applied},
	answerMalformed:     {ClassMalformed, n, never, unsafeNever, true, Applied},
	answerTruncated:     {ClassTransient, f, ifListed, unsafeNever, true, Applied},
	answerIdle:          {ClassTransient, f, ifListed, unsafeNever, true, Applied},
	redirectNotFollowed: {ClassPermanent, s, never, unsafeNever, false, Rejected},
	refused:             {ClassPermanent, s, ifListed, unsafeIfRejected, false, Rejected},
	status408:           {ClassTimeout, n, ifListed, unsafeIfRejected, true, Unknown},
	keyInFlight:         {ClassTransient, s, always, unsafeNever, true, Unknown},
	status421:           {ClassTransient, n, onceMore, unsafeOnce, true, Rejected},
	status425:           {ClassTransient, n, ifListed, unsafeIfRejected, true, Rejected},
	status429:           {ClassOverload, n, ifListed, unsafeIfRejected, true, Rejected},
	serverError:         {ClassTransient, f, ifListed, unsafeIfRejected, true, Unknown},
	notImplemented:      {ClassPermanent, s, ifListed, unsafeIfRejected, false, Rejected},
	gatewayError:        {ClassTransient, f, ifListed, unsafeIfRejected, true, Unknown},
	unavailable:         {ClassTransient, f, ifListed, unsafeIfRejected, true, Unknown},
	unavailableUntil:    {ClassOverload, f, ifListed, unsafeIfRejected, true, Unknown},
	remoteCircuitOpen:   {ClassCircuitOpen, n, never, unsafeNever, true, NotSent},
	remoteDeadline:      {ClassTimeout, n, never, unsafeNever, true, Rejected},
	markedPermanent:     {ClassPermanent, s, never, unsafeNever, false, Rejected}, // rt.Run only
}

// ofStatus returns the row of an answer whose status is not 2xx. waitNamed
// says whether it named a wait.
func ofStatus(status int, waitNamed bool) happening {
	switch {
	case status < 300:
		panic(fmt.Sprintf("runtime: status %d has no row of its own", status))
	case status < 400:
		return redirectNotFollowed
	case status == 408:
		return status408
	case status == 421:
		return status421
	case status == 425:
		return status425
	case status == 429:
		return status429
	case status < 500:
		return refused
	case status == 501, status == 505:
		return notImplemented
	case status == 502, status == 504:
		return gatewayError
	case status == 503 && waitNamed:
		return unavailableUntil
	case status == 503:
		return unavailable
	default:
		return serverError
	}
}

// byConnection says which part of retry.when speaks for a happening that is no
// answer: connection, or else timeout.
func (h happening) byConnection() bool {
	switch h {
	case noConnection, streamRefused, connectionBroke, answerTruncated:
		return true
	default:
		return false
	}
}
