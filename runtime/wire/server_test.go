package wire

import (
	"net/http"
	"strings"
	"testing"
)

func TestServers(t *testing.T) {
	region := ServerVariable{Name: "region", Default: "eu", Enum: []string{"eu", "us"}}
	with := func(v ServerVariable, value string) ServerVariable { v.Value = value; return v }
	main := func(vars ...ServerVariable) ServerURL {
		return ServerURL{URL: "https://{region}.garden.test:{port}/{base}", Variables: vars}
	}
	port, base := ServerVariable{Name: "port", Default: "8443"}, ServerVariable{Name: "base", Default: "v2"}
	const doc = "https://docs.garden.test/specs/garden.yaml"
	tests := []struct {
		name     string
		server   Server
		template string
		want     string
	}{
		{"defaults", NewServer(main(region, port, base), doc), "/beds", "https://eu.garden.test:8443/v2/beds"},
		{"chosen values", NewServer(main(with(region, "us"), port, with(base, "api/v9")), ""), "/beds", "https://us.garden.test:8443/api/v9/beds"},
		{"one slash at the seam", NewServer(ServerURL{URL: "http://garden.test/v3//"}, ""), "/beds/", "http://garden.test/v3/beds/"},
		{"no path", NewServer(ServerURL{URL: "https://garden.test"}, ""), "/beds", "https://garden.test/beds"},
		{"a slash for a path", NewServer(ServerURL{URL: "https://garden.test/"}, ""), "/", "https://garden.test/"},
		{"a template without a slash", NewServer(ServerURL{URL: "https://garden.test/x"}, ""), "beds", "https://garden.test/x/beds"},
		{"the document's scheme", NewServer(ServerURL{URL: "//cdn.garden.test/x"}, doc), "/beds", "https://cdn.garden.test/x/beds"},
		{"the document's host", NewServer(ServerURL{URL: "/edge/api"}, doc), "/beds", "https://docs.garden.test/edge/api/beds"},
		{"the document's folder", NewServer(ServerURL{URL: "."}, doc), "/beds", "https://docs.garden.test/specs/beds"},
		{"above it", NewServer(ServerURL{URL: "../v1"}, doc), "/beds", "https://docs.garden.test/v1/beds"},
		{"a path that needs escapes", NewServer(ServerURL{URL: "https://garden.test/größe/a%2Fb"}, ""), "/beds", "https://garden.test/gr%C3%B6%C3%9Fe/a%2Fb/beds"},
		{"a whole URL as a variable", NewServer(ServerURL{URL: "{root}/v1", Variables: []ServerVariable{{Name: "root", Default: "https://garden.test"}}}, ""), "/beds", "https://garden.test/v1/beds"},
		{"the caller's base", BaseURL("http://127.0.0.1:81/proxy/"), "/beds", "http://127.0.0.1:81/proxy/beds"},
		{"an IPv6 host", BaseURL("http://[::1]:81"), "/beds", "http://[::1]:81/beds"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := NewRequest("tend", http.MethodGet, tt.server)
			r.Path(tt.template)
			r.finish()
			if r.call.Err != nil {
				t.Fatalf("refused: %v", r.call.Err)
			}
			if got := r.call.URL.String(); got != tt.want {
				t.Errorf("URL = %s, want %s", got, tt.want)
			}
			if err := tt.server.Err(); err != nil {
				t.Errorf("Err = %v, want none", err)
			}
		})
	}
}

func TestServerRefusals(t *testing.T) {
	variable := func(url string, v ServerVariable) Server {
		return NewServer(ServerURL{URL: url, Variables: []ServerVariable{v}}, "")
	}
	tests := []struct {
		name   string
		server Server
		want   string
	}{
		{"none", Server{}, "no server is set"},
		{"a value outside the enum", variable("https://{r}.garden.test", ServerVariable{Name: "r", Value: "moon", Default: "eu", Enum: []string{"eu", "us"}}), `server variable r is "moon"; want one of eu, us`},
		{"no value where there is no default", variable("https://{r}.garden.test", ServerVariable{Name: "r", Given: true}), "server variable r is not set and has no default"},
		{"a slash in the host", variable("https://{r}.garden.test", ServerVariable{Name: "r", Value: "evil.test/"}), "want no slash"},
		{"a query in a variable", variable("https://garden.test/{r}", ServerVariable{Name: "r", Value: "a?b=c"}), "want a part of a host or a path"},
		{"credentials in a variable", variable("https://{r}.garden.test", ServerVariable{Name: "r", Value: "a:b@evil"}), "want a part of a host or a path"},
		{"a variable that is not declared", NewServer(ServerURL{URL: "https://{r}.garden.test"}, ""), `a variable "r" that is not declared`},
		{"relative without a document", NewServer(ServerURL{URL: "/api"}, ""), `server URL "/api" is relative to the document; set a base URL`},
		{"relative to a file", NewServer(ServerURL{URL: "/api"}, "specs/garden.yaml"), "is not absolute"},
		{"a scheme that is none of ours", NewServer(ServerURL{URL: "ftp://garden.test"}, ""), `has the scheme "ftp"; want http or https`},
		{"no host", BaseURL("https:///v1"), "names no host"},
		{"no scheme", BaseURL("garden.test/v1"), "want http or https"},
		{"empty", BaseURL(""), "want http or https"},
		{"unreadable", BaseURL("http://a b"), "base URL cannot be read"},
		{"unreadable in the spec", NewServer(ServerURL{URL: "http://a b"}, ""), "cannot be read"},
		{"a query", BaseURL("https://garden.test/?x=1"), "has a query or a fragment"},
		{"a fragment", BaseURL("https://garden.test/#x"), "has a query or a fragment"},
		{"credentials", BaseURL("https://user:secret@garden.test"), "base URL holds credentials"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.server.Err()
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("Err = %v, want it to contain %q", err, tt.want)
			}
			r := NewRequest("tend", http.MethodGet, tt.server)
			r.Path("/beds")
			if got := refusedBy(t, r); !strings.Contains(got, tt.want) {
				t.Errorf("refusal = %q, want it to contain %q", got, tt.want)
			}
		})
	}
}
