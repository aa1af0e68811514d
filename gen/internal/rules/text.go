package rules

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
)

// texts are, for each rule, what it means and why, and the archive with the
// example that it finds and the one that it does not.
//
//go:embed doc/*.md testdata/*_example.txtar
var texts embed.FS

// About is what a rule means and why, as Markdown.
func (r Rule) About() string { return read("doc/" + strings.ToLower(r.ID) + ".md") }

// An Example is a document that a rule finds something in and one in which it
// does not, with what resgen.yaml says beside them.
type Example struct {
	Shows     string // in a sentence
	Bad, Good string // YAML; in Bad a comment names the rule on the line that it finds
	Settings  string // of resgen.yaml; empty: nothing
}

// Example is the rule's example. Tests run it as it stands.
func (r Rule) Example() Example {
	archive := read("testdata/" + strings.ToLower(r.ID) + "_example.txtar")
	sections := sections(archive)
	var shows, settings []string
	for line := range strings.Lines(sections[""]) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "budget: "):
			settings = append(settings, line)
		case line != "" && !strings.HasPrefix(line, "now: "):
			shows = append(shows, line)
		}
	}
	return Example{
		Shows:    strings.Join(shows, " "),
		Bad:      wants.ReplaceAllString(sections["bad.yaml"], " # ${1}"),
		Good:     wants.ReplaceAllString(sections["good.yaml"], ""),
		Settings: strings.Join(settings, "\n"),
	}
}

// wants are the comments with which tests say what is to be found on a line.
var wants = regexp.MustCompile(`(?m)[ \t]+# want \d+ [a-z]+ (RG\d+) .*$`)

// Text is all that there is to say of a rule, as Markdown: `resgen explain
// RULE` prints it and the documentation is made of it.
func (r Rule) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s %s\n\n%s %s\n\n", r.ID, r.Name, upperFirst(r.Severities())+".", r.Says)
	fmt.Fprintf(&b, "%s\n", r.About())
	e := r.Example()
	fmt.Fprintf(&b, "**Example.** %s\n\n", e.Shows)
	if e.Settings != "" {
		fmt.Fprintf(&b, "With `%s` in resgen.yaml.\n\n", e.Settings)
	}
	fmt.Fprintf(&b, "Found:\n\n```yaml\n%s```\n\nNot found:\n\n```yaml\n%s```\n", e.Bad, e.Good)
	return b.String()
}

//go:generate go test -run TestHandbookDocs . -update

// Handbook is the text of all rules with a table of them before it: the README
// of this package.
func Handbook() string {
	var b strings.Builder
	b.WriteString("<!-- Made from the rules' texts by go generate. Do not edit. -->\n\n# The rules\n\n" +
		"A finding whose leaf is a default is an info, whatever the table says. Severities can be\n" +
		"changed in resgen.yaml; those of RG001 to RG009 can only be raised.\n\n" +
		"| rule | name | severity | what it says |\n| --- | --- | --- | --- |\n")
	for _, r := range All() {
		fmt.Fprintf(&b, "| [%s](#%s-%s) | %s | %s | %s |\n",
			r.ID, strings.ToLower(r.ID), r.Name, r.Name, r.Severities(), strings.ReplaceAll(r.Says, "|", `\|`))
	}
	for _, r := range All() {
		b.WriteString("\n" + r.Text())
	}
	return b.String()
}

// read is an embedded text. Each rule has its two: a test holds it.
func read(name string) string {
	text, err := texts.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("rules: %v", err))
	}
	return string(text)
}

// sections are the files of a txtar archive by name; "" is what stands before.
func sections(archive string) map[string]string {
	out, name := map[string]string{}, ""
	for line := range strings.Lines(archive) {
		if n, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(n, " --\n") {
			name = strings.TrimSuffix(n, " --\n")
			continue
		}
		out[name] += line
	}
	return out
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
