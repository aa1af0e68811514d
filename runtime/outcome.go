package runtime

import "fmt"

// An Outcome is what is known of a call's effect on the server. The outcome
// of a call is the strongest over its attempts, in the order below. A call that
// resumes another with its key is Rejected only where the refusal speaks for
// both. The zero Outcome is not valid.
type Outcome int

// The outcomes, weakest first.
const (
	_        Outcome = iota
	NotSent          // nothing went out
	Rejected         // the server refused: nothing was done
	Unknown          // it may or may not have been done
	Applied          // it was done, though the answer could not be used
)

// String returns the outcome in words.
func (o Outcome) String() string {
	switch o {
	case NotSent:
		return "not sent"
	case Rejected:
		return "rejected"
	case Unknown:
		return "unknown"
	case Applied:
		return "applied"
	default:
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
}

// An ErrorClass says what kind of failure ended a call. The zero value is not valid.
type ErrorClass int

// The classes of errors.
const (
	_                 ErrorClass = iota
	ClassInput                   // the caller's arguments cannot be sent
	ClassAuth                    // credentials could not be had
	ClassCircuitOpen             // the circuit, ours or the server's own, is open
	ClassBulkheadFull            // too many calls are in flight already
	ClassOverload                // the server asked for fewer calls
	ClassTransient               // it may work another time
	ClassPermanent               // it will not work another time either
	ClassTimeout                 // time ran out: ours or the caller's
	ClassCanceled                // the caller cancelled
	ClassMalformed               // the answer is not what was declared
)

// String returns the class as it stands in labels.
func (c ErrorClass) String() string {
	switch c {
	case ClassInput:
		return "input"
	case ClassAuth:
		return "auth"
	case ClassCircuitOpen:
		return "circuit-open"
	case ClassBulkheadFull:
		return "bulkhead-full"
	case ClassOverload:
		return "overload"
	case ClassTransient:
		return "transient"
	case ClassPermanent:
		return "permanent"
	case ClassTimeout:
		return "timeout"
	case ClassCanceled:
		return "canceled"
	case ClassMalformed:
		return "malformed"
	default:
		return fmt.Sprintf("ErrorClass(%d)", int(c))
	}
}
