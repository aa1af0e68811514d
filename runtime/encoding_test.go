package runtime

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestDecodeContent(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	io.WriteString(w, "pears")
	w.Close()
	tests := []struct {
		name, coding, body, want string
		status                   int
		decoded                  bool
	}{
		{"gzip", "gzip", zipped.String(), "pears", 200, true},
		{"its older name", "X-GZIP", zipped.String(), "pears", 400, true},
		{"another coding", "br", "x", "x", 200, false},
		{"none", "", "x", "x", 200, false},
		{"a part", "gzip", "x", "x", 206, false},
		{"an empty body", "gzip", "", "", 200, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			header := http.Header{"Content-Encoding": {tt.coding}, "Content-Length": {"9"}}
			r := &http.Response{StatusCode: tt.status, Header: header, Body: io.NopCloser(strings.NewReader(tt.body)), ContentLength: 9}
			decodeContent(r)
			got, err := io.ReadAll(r.Body)
			if err != nil || string(got) != tt.want {
				t.Errorf("body = %q, %v, want %q", got, err, tt.want)
			}
			if decoded := r.Header.Get("Content-Encoding") == "" && r.ContentLength < 0; tt.coding != "" && decoded != tt.decoded {
				t.Errorf("headers = %v, length %d, want them changed: %v", r.Header, r.ContentLength, tt.decoded)
			}
			if header.Get("Content-Encoding") != tt.coding {
				t.Error("the transport's own headers were changed")
			}
		})
	}
	t.Run("not gzip at all", func(t *testing.T) {
		r := &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: io.NopCloser(strings.NewReader("plain text, no gzip"))}
		decodeContent(r)
		if _, err := io.ReadAll(r.Body); err == nil {
			t.Error("read as if nothing were; want an error")
		}
	})
}
