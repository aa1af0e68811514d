package golang

import (
	"html"
	"strings"
)

// markupBreaks are HTML elements that begin or end a line; the others among
// markupInline only mark text up. Anything else in angle brackets is no HTML to
// us (a placeholder such as <id>) and stays.
var markupBreaks = map[string]string{
	"br": "\n", "p": "\n\n", "div": "\n", "hr": "\n\n", "pre": "\n", "blockquote": "\n\n",
	"ul": "\n\n", "ol": "\n\n", "dl": "\n\n", "li": "\n- ", "dt": "\n", "dd": "\n",
	"table": "\n\n", "tr": "\n", "caption": "\n",
	"h1": "\n\n", "h2": "\n\n", "h3": "\n\n", "h4": "\n\n", "h5": "\n\n", "h6": "\n\n",
}

var markupInline = map[string]bool{
	"a": true, "abbr": true, "b": true, "code": true, "em": true, "font": true, "i": true, "img": true, "kbd": true, "mark": true,
	"small": true, "span": true, "strong": true, "sub": true, "sup": true, "s": true, "tt": true, "u": true, "var": true,
	"thead": true, "tbody": true, "tfoot": true, "th": true, "td": true, "colgroup": true, "col": true,
}

var itemsOfLists = map[string]bool{"li": true, "dt": true, "dd": true, "tr": true}

// withoutMarkup turns the HTML that many specifications write into plain text,
// which is what a Go comment shows: elements are dropped, items of lists get a
// dash, lines are broken where HTML would, and entities are resolved.
func withoutMarkup(text string) string {
	if !strings.ContainsAny(text, "<&") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<")
		b.WriteString(before)
		if !found {
			break
		}
		name, closing, length := element(rest)
		switch brk, isBreak := markupBreaks[name]; {
		case isBreak && closing && itemsOfLists[name]: // the next one begins a line
		case isBreak:
			b.WriteString(brk)
		case markupInline[name]:
			if (name == "td" || name == "th") && closing {
				b.WriteByte(' ')
			}
		default:
			b.WriteByte('<')
			length = 0
		}
		text = rest[length:]
	}
	return html.UnescapeString(b.String())
}

// element reads what follows a "<": the element's name in lower case, whether
// it is an end tag, and the length up to and with its ">". The length is 0 and
// the name empty where this is no element.
func element(s string) (name string, closing bool, length int) {
	end := strings.IndexByte(s, '>')
	if end < 0 || end > 500 || strings.ContainsAny(s[:end], "<\n") {
		return "", false, 0
	}
	inner := s[:end]
	inner, closing = strings.CutPrefix(inner, "/")
	inner = strings.TrimSuffix(inner, "/")
	if i := strings.IndexAny(inner, " \t"); i >= 0 {
		inner = inner[:i]
	}
	return strings.ToLower(inner), closing, end + 1
}
