package main

import (
	"strings"
	"testing"
)

// TestDemoKeepsItsPromises runs the demo as make demo does. It takes a few
// seconds of real time: the server listens on loopback.
func TestDemoKeepsItsPromises(t *testing.T) {
	var shown strings.Builder
	if !run(&shown, style{}, 0) {
		t.Errorf("a promise did not hold:\n%s", shown.String())
	}
	if strings.Contains(shown.String(), "\x1b") {
		t.Error("colours were shown where there is no terminal")
	}
}
