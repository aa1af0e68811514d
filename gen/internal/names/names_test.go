package names

import (
	"go/token"
	"testing"
	"unicode/utf8"
)

func TestExported(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"id", "ID"}, {"ids", "IDs"}, {"accountId", "AccountID"}, {"account_ids", "AccountIDs"}, {"userIDs", "UserIDs"}, {"HTTPServer", "HTTPServer"},
		{"apiKey", "APIKey"}, {"url", "URL"}, {"html_url", "HTMLURL"}, {"createCharge", "CreateCharge"}, {"repos/list-for-org", "ReposListForOrg"},
		{"Crate", "Crate"}, {"name tag", "NameTag"}, {"name.tag", "NameTag"}, {"name__tag", "NameTag"}, {"_metadata", "Metadata"}, {"$ref", "Ref"}, {"@kind", "Kind"},
		{"StartTime<", "StartTimeLt"}, {"StartTime>", "StartTimeGt"}, {"+1", "Plus1"}, {"-1", "Minus1"}, {"-0.5", "Minus0_5"}, {">=", "GtEq"}, {"*", "Star"}, {"-", "Minus"},
		{"", "Empty"}, {" ", "Space"}, {"_", "Underscore"}, {"..", "DotDot"}, {"n/a", "NA"}, {"don't", "Dont"},
		{"3DModel", "N3DModel"}, {"404", "N404"}, {"v1.0", "V1_0"}, {"2022-11-28", "N2022_11_28"}, {"level_2_card", "Level2Card"}, {"utf8", "UTF8"},
		{"USD", "USD"}, {"IBAN", "IBAN"}, {"ACTIVE", "Active"}, {"PENDING_REVIEW", "PendingReview"}, {"KYCCheck", "KYCCheck"}, {"US_ID", "UsID"},
		{"größe", "Größe"}, {"日本", "X日本"}, {"ключ", "Ключ"}, {"é", "É"}, {"e\u0301", "E"}, {"🚢", "U1f6a2"}, {"३", "N३"}, {"ﬁ", "Xﬁ"}, {"ı", "I"}, {"\xff", "Ufffd"},
		{"type", "Type"}, {"nil", "Nil"}, {"error", "Error"}, {"iOS", "IOS"}, {"eBay", "EBay"}, {"OAuth2", "OAuth2"},
	} {
		if got := Exported(tt.text); got != tt.want {
			t.Errorf("Exported(%q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestExportedSpelled(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"_metadata", "UnderscoreMetadata"}, {"name-tag", "NameDashTag"}, {"name.tag", "NameDotTag"}, {"name tag", "NameSpaceTag"}, {"n/a", "NSlashA"},
		{"@kind", "AtKind"}, {"$ref", "DollarRef"}, {"-name", "MinusName"}, {"nameTag", "NameTag"},
	} {
		if got := ExportedSpelled(tt.text); got != tt.want {
			t.Errorf("ExportedSpelled(%q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestUnexported(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"ID", "id"}, {"IDs", "ids"}, {"HTTPServer", "httpServer"}, {"Crate", "crate"}, {"type", "typeValue"}, {"error", "errorValue"}, {"json", "jsonValue"},
		{"rt", "rtValue"}, {"wire", "wireValue"}, {"context", "contextValue"}, {"StartTime<", "startTimeLt"}, {"2fa", "n2fa"}, {"日本", "x日本"},
	} {
		if got := Unexported(tt.text); got != tt.want {
			t.Errorf("Unexported(%q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, tt := range []struct {
		parts []string
		want  string
	}{
		{[]string{"Plug", "8p8c"}, "Plug8p8c"}, {[]string{"Ratio1", "50"}, "Ratio1_50"}, {[]string{"Get", "", "Yards"}, "GetYards"}, {[]string{"8p"}, "N8p"},
	} {
		if got := Join(tt.parts...); got != tt.want {
			t.Errorf("Join(%q) = %s, want %s", tt.parts, got, tt.want)
		}
	}
}

func TestSingular(t *testing.T) {
	for _, tt := range []struct {
		plural, want string
		ok           bool
	}{
		{"Twigs", "Twig", true}, {"Addresses", "Address", true}, {"Entries", "Entry", true}, {"Boxes", "Box", true}, {"Statuses", "Status", true},
		{"Databases", "Database", true}, {"Status", "Status", false}, {"Data", "Data", false}, {"Series", "Series", false}, {"OrderItems", "OrderItem", true},
		{"IDs", "ID", true}, {"Analyses", "Analysis", true}, {"Access", "Access", false},
	} {
		if got, ok := Singular(tt.plural); got != tt.want || ok != tt.ok {
			t.Errorf("Singular(%s) = %s, %t, want %s, %t", tt.plural, got, ok, tt.want, tt.ok)
		}
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		name string
		n    int
		want string
	}{
		{"TheTextIsTooLong", 10, "TheTextIs"}, {"Short", 10, "Short"}, {"Incomprehensibilities", 5, "Incomprehensibilities"}, {"ÄrgerÜberall", 9, "Ärger"},
	} {
		if got := Clip(tt.name, tt.n); got != tt.want {
			t.Errorf("Clip(%s, %d) = %s, want %s", tt.name, tt.n, got, tt.want)
		}
	}
}

func TestPackage(t *testing.T) {
	for text, want := range map[string]string{"Payments API": "paymentsapi", "2Checkout": "checkout", "go": "goapi", "Größe": "gre", "": "api", "json": "jsonapi"} {
		if got := Package(text); got != want {
			t.Errorf("Package(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestTakePrefersCandidatesToNumbers(t *testing.T) {
	s := NewScope("Client")
	for _, tt := range []struct {
		wishes []string
		want   string
	}{
		{[]string{"Crate"}, "Crate"}, {[]string{"Crate", "CrateEnum"}, "CrateEnum"}, {[]string{"Crate", "CrateEnum"}, "Crate2"}, {[]string{"Crate"}, "Crate3"},
		{[]string{"Client", "ClientModel"}, "ClientModel"}, {[]string{"N404"}, "N404"}, {[]string{"N404"}, "N404_2"},
	} {
		if got := s.Take(tt.wishes...); got != tt.want {
			t.Errorf("Take(%q) = %s, want %s", tt.wishes, got, tt.want)
		}
	}
}

// TestLaterNamesLeaveEarlierOnes adds a name to a list and finds the others as
// they were.
func TestLaterNamesLeaveEarlierOnes(t *testing.T) {
	texts := []string{"name_tag", "nameTag", "NameTag", "name-tag", "name.tag"}
	take := func(texts []string) []string {
		s := NewScope()
		var out []string
		for _, text := range texts {
			out = append(out, s.Take(Exported(text), ExportedSpelled(text)))
		}
		return out
	}
	before, after := take(texts), take(append(texts[:len(texts):len(texts)], "nametag", "NAME_TAG"))
	for i, name := range before {
		if after[i] != name {
			t.Errorf("%q is %s, and %s once a later name is added", texts[i], name, after[i])
		}
	}
}

// FuzzName holds that any text gives an identifier that is no keyword and
// unique in its scope, and that the text alone decides.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"id", "", "+1", "StartTime<", "日本", "e\u0301", "type", "a\nb", "\xff\xfe", "3D", "_", "🚢", "x-req-id", "ﬁ", "१२"} {
		f.Add(seed, seed+"2")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		scope, locals := NewScope(), NewScope()
		seen := map[string]bool{}
		for _, text := range []string{a, b, a, a, b} {
			for _, spell := range []func(string) string{Exported, ExportedSpelled} {
				name := spell(text)
				if !token.IsIdentifier(name) || !token.IsExported(name) || !utf8.ValidString(name) {
					t.Fatalf("%q gives %q, which is no exported identifier", text, name)
				}
				if spell(text) != name {
					t.Fatalf("%q gives two names", text)
				}
			}
			name := scope.Take(Exported(text), ExportedSpelled(text))
			if seen[name] || !token.IsIdentifier(name) {
				t.Fatalf("%q gives %q again, or no identifier", text, name)
			}
			seen[name] = true
			joined := Join(name, Part(text))
			if !token.IsIdentifier(joined) || !token.IsExported(joined) {
				t.Fatalf("%q joined gives %q", text, joined)
			}
			local := locals.Take(Unexported(text))
			if !token.IsIdentifier(local) || token.IsExported(local) || IsReserved(local) {
				t.Fatalf("%q gives the local %q", text, local)
			}
		}
	})
}
