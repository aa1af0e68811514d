package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A Body is content that can be sent: opened anew for every attempt, so that
// each sends the same bytes. The zero Body is empty. See [Bytes], [ReaderAt],
// [Opener] and, for content that can be read only once, [Reader].
type Body struct {
	bytes []byte
	at    io.ReaderAt
	open  func() (io.ReadCloser, error)
	once  io.Reader
	size  int64 // at and open; -1 is not known
	kind  bodyKind
}

type bodyKind uint8

const (
	noBody bodyKind = iota
	bytesBody
	readerAtBody
	openerBody
	onceBody
)

// Bytes makes a Body of b, which must not change while a call uses it.
func Bytes(b []byte) Body { return Body{kind: bytesBody, bytes: b, size: int64(len(b))} }

// ReaderAt makes a Body of the first size bytes of r, for example an *os.File.
func ReaderAt(r io.ReaderAt, size int64) Body { return Body{kind: readerAtBody, at: r, size: size} }

// Opener makes a Body that is opened anew for every attempt. size is -1 where
// it is not known; otherwise exactly that many bytes must come.
func Opener(size int64, open func() (io.ReadCloser, error)) Body {
	return Body{kind: openerBody, open: open, size: size}
}

// Reader makes a Body of a plain reader. It can be sent only once: the call
// makes a single attempt, and its error says so ([ErrNotReplayable]). A reader
// that is an io.Closer is closed. size is -1 where it is not known.
func Reader(size int64, r io.Reader) Body { return Body{kind: onceBody, once: r, size: size} }

// IsZero reports whether there is no body at all, which differs from an empty one.
func (b Body) IsZero() bool { return b.kind == noBody }

// Size returns the number of bytes, or -1 where it is not known.
func (b Body) Size() int64 { return b.size }

// Replayable reports whether the body can be sent more than once.
func (b Body) Replayable() bool { return b.kind != onceBody }

// Open returns a reader over the content from its start. It must be closed. A
// body that can be read only once returns its one reader each time.
func (b Body) Open() (io.ReadCloser, error) {
	switch b.kind {
	case noBody:
		return io.NopCloser(bytes.NewReader(nil)), nil
	case bytesBody:
		return io.NopCloser(bytes.NewReader(b.bytes)), nil
	case readerAtBody:
		if b.at == nil || b.size < 0 {
			return nil, fmt.Errorf("rt.ReaderAt was given no reader, or size %d; want a reader and its size", b.size)
		}
		return io.NopCloser(io.NewSectionReader(b.at, 0, b.size)), nil
	case openerBody:
		if b.open == nil {
			return nil, errors.New("rt.Opener was given no function")
		}
		return b.open()
	case onceBody:
		if b.once == nil {
			return nil, errors.New("rt.Reader was given no reader")
		}
		if c, ok := b.once.(io.ReadCloser); ok {
			return c, nil
		}
		return io.NopCloser(b.once), nil
	default:
		panic(fmt.Sprintf("runtime: body kind %d not handled", b.kind))
	}
}

// A File is content with a name: a part of a multipart form, or a whole body.
type File struct {
	Name        string // file name as the server sees it
	ContentType string // empty: application/octet-stream, or what the spec says
	Content     Body
}

// MarshalJSON refuses: a file is sent as a part or a body, not within JSON.
func (f File) MarshalJSON() ([]byte, error) {
	return nil, errors.New("a file cannot be written as JSON; send it as a multipart part or a body")
}
