package runtime

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// decodeContent undoes a gzip that net/http leaves alone because the call set
// Accept-Encoding itself, as operations that declare it as a parameter do. A
// part of a representation (206) stays as it is: no part of a gzip can be read.
func decodeContent(r *http.Response) {
	coding := strings.ToLower(r.Header.Get("Content-Encoding"))
	if coding != "gzip" && coding != "x-gzip" || r.StatusCode == http.StatusPartialContent || r.Body == http.NoBody {
		return
	}
	r.Body = &gzipBody{body: r.Body}
	r.Header = r.Header.Clone() // a transport of the caller's may keep its own
	r.Header.Del("Content-Encoding")
	r.Header.Del("Content-Length")
	r.ContentLength, r.Uncompressed = -1, true
}

// A gzipBody reads what a compressed body holds. It begins with the first Read:
// the answer's headers may be there long before its body.
type gzipBody struct {
	body   io.ReadCloser
	reader *gzip.Reader
	err    error
}

func (b *gzipBody) Read(p []byte) (int, error) {
	if b.err == nil && b.reader == nil {
		b.reader, b.err = gzip.NewReader(b.body)
	}
	if b.err != nil {
		return 0, b.err
	}
	return b.reader.Read(p)
}

func (b *gzipBody) Close() error { return b.body.Close() }
