package report

import (
	"strconv"
	"text/template"
)

// A Palette colours text for the place where it is shown. The zero Palette is
// not valid.
type Palette int

// The palettes.
const (
	_     Palette = iota
	Plain         // files, pipes, NO_COLOR
	ANSI          // terminals
)

// The escape sequences that reports use.
const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[36m"
	green  = "\x1b[32m"
	reset  = "\x1b[0m"
)

// paint is the text in a colour.
func (p Palette) paint(colour, text string) string {
	switch p {
	case Plain:
		return text
	case ANSI:
		return colour + text + reset
	}
	panic("report: palette not handled")
}

// in is the function that paints in one colour.
func (p Palette) in(colour string) func(string) string {
	return func(text string) string { return p.paint(colour, text) }
}

// severity colours the word of a severity.
func (p Palette) severity(word string) string {
	switch word {
	case "error":
		return p.paint(red, word)
	case "warning":
		return p.paint(yellow, word)
	}
	return p.paint(cyan, word)
}

// funcs are what templates call.
func (p Palette) funcs() template.FuncMap {
	return template.FuncMap{
		"bold": p.in(bold), "dim": p.in(dim), "hint": p.in(cyan), "mark": p.in(green),
		"red": p.in(red), "yellow": p.in(yellow), "cyan": p.in(cyan), "green": p.in(green),
		"severity": p.severity, "count": count,
	}
}

// count is a number with its noun: "1 type", "3 types".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
