package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

// A style colours text for a terminal. The zero style colours nothing.
type style struct{ colours bool }

// newStyle is the style for a file: colours on a terminal, unless NO_COLOR is
// set.
func newStyle(f *os.File) style {
	return style{colours: isTerminal(f) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (s style) paint(code, text string) string {
	if !s.colours {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) good(text string) string { return s.paint("32", text) }
func (s style) bad(text string) string  { return s.paint("31", text) }
func (s style) warn(text string) string { return s.paint("33", text) }
func (s style) bold(text string) string { return s.paint("1", text) }
func (s style) dim(text string) string  { return s.paint("2", text) }

// A screen is where the demo is shown.
type screen struct {
	w     io.Writer
	style style
	scene int
}

func (s *screen) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(s.w, format, args...) // there is nobody to tell
}

func (s *screen) title() {
	s.printf("\n  %s\n", s.style.bold("One generated client, one payment server, and what can go wrong between them"))
	s.printf("  %s\n", s.style.dim("fallback( retry( breaker( bulkhead( timeout( call )))))   policy: examples/payments/payments.yaml"))
}

func (s *screen) heading(weather, what string) {
	s.scene++
	s.printf("\n  %s  %s\n", s.style.bold(fmt.Sprintf("%d  %s", s.scene, weather)), s.style.dim(what))
}

func (s *screen) closing(text string) { s.printf("\n  %s\n\n", text) }

// promised shows a promise with whether it held.
func (s *screen) promised(holds bool, text string) {
	mark := s.style.good("✓")
	if !holds {
		mark = s.style.bad("✗ NOT TRUE:")
	}
	s.printf("     %s %s\n", mark, text)
}

// remark shows something that happened beside the calls.
func (s *screen) remark(format string, args ...any) {
	s.printf("     %s\n", s.style.dim(fmt.Sprintf(format, args...)))
}

// line shows a call: its attempts, how long it took, how it ended.
func (s *screen) line(name string, events []rt.Event, call seen) {
	s.printf("     %-13s %s %8s  %s\n", name, pad(strings.Join(s.attempts(events), s.style.dim(" → ")), 32),
		short(call.info.Duration), s.ending(call))
}

// attempts are the attempts of a call in a word each, with what they did to the
// circuit behind them.
func (s *screen) attempts(events []rt.Event) []string {
	var words []string
	verdict := "" // of the circuit, on the attempt that is about to be shown
	for _, e := range events {
		switch {
		case e.Kind == rt.AttemptEnded:
			words = append(words, s.attempt(e))
			if verdict != "" {
				words, verdict = append(words, verdict), ""
			}
		case e.Kind == rt.CircuitChanged && e.State == rt.HalfOpen:
			words = append(words, s.style.warn("circuit half-open"))
		case e.Kind == rt.CircuitChanged:
			verdict = s.style.warn("circuit " + e.State.String())
		}
	}
	if verdict != "" {
		words = append(words, verdict)
	}
	if len(words) == 0 {
		return []string{s.style.dim("nothing was sent")}
	}
	return words
}

// pad fills a text up to a width, not counting what colours it.
func pad(text string, width int) string {
	visible, hidden := 0, false
	for _, r := range text {
		switch {
		case r == '\x1b':
			hidden = true
		case hidden:
			hidden = r != 'm'
		default:
			visible++
		}
	}
	return text + strings.Repeat(" ", max(0, width-visible))
}

// attempt is one attempt in a word: its status, or how it failed.
func (s *screen) attempt(e rt.Event) string {
	switch {
	case e.Status >= 200 && e.Status < 300 && e.Class == 0:
		return s.style.good(fmt.Sprint(e.Status))
	case e.Status != 0:
		return s.style.bad(fmt.Sprint(e.Status))
	case e.Class == rt.ClassTimeout:
		return s.style.bad("time-out")
	case e.Outcome == rt.NotSent:
		return s.style.bad("refused")
	}
	return s.style.bad("connection lost")
}

// ending is how a call ended, with what its caller has to know.
func (s *screen) ending(call seen) string {
	var notes []string
	if key := call.info.Key.Value; key != "" {
		notes = append(notes, "key "+key[:min(8, len(key))])
	}
	if call.info.Replayed {
		notes = append(notes, "the server's stored answer")
	}
	result := s.style.good("ok")
	switch {
	case call.err != nil:
		result = s.style.bad("failed: " + cause(call.err))
		notes = append(notes, "outcome "+call.info.Outcome.String())
	case call.info.Source == rt.Stale:
		result = s.style.warn("ok, a copy " + short(call.info.Age) + " old")
	}
	if len(notes) == 0 {
		return result
	}
	return result + s.style.dim("  ("+strings.Join(notes, ", ")+")")
}

// cause is the reason of a failed call in a few words.
func cause(err error) string {
	for _, state := range []error{rt.ErrCircuitOpen, rt.ErrBulkheadFull, rt.ErrNoTimeLeft, rt.ErrRetryBudget} {
		if errors.Is(err, state) {
			return state.Error()
		}
	}
	if call, ok := errors.AsType[*rt.CallError](err); ok {
		return call.Class.String()
	}
	return err.Error()
}

// short is a duration with as many digits as are worth reading.
func short(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}
