package wire

import (
	"bytes"
	"errors"
	"io"

	rt "github.com/resgen-dev/resgen/runtime"
)

// body makes the body of all parts. It can be sent again if each of them can;
// its length is known if theirs are.
func (p *Parts) body() (rt.Body, error) {
	size, replayable := int64(0), true
	var sections []section
	text := func(b []byte) {
		sections = append(sections, section{text: b})
		if size >= 0 {
			size += int64(len(b))
		}
	}
	for i, part := range p.parts {
		lead := "\r\n--"
		if i == 0 {
			lead = "--"
		}
		text([]byte(lead + p.boundary + "\r\n" + string(part.header) + "\r\n"))
		sections = append(sections, section{content: part.content})
		replayable = replayable && part.content.Replayable()
		if n := part.content.Size(); n < 0 {
			size = -1
		} else if size >= 0 {
			size += n
		}
	}
	if len(p.parts) == 0 {
		text([]byte("--" + p.boundary + "--\r\n"))
	} else {
		text([]byte("\r\n--" + p.boundary + "--\r\n"))
	}
	if !replayable {
		return rt.Reader(size, &sectionReader{rest: sections}), nil
	}
	return rt.Opener(size, func() (io.ReadCloser, error) {
		return &sectionReader{rest: sections}, nil
	}), nil
}

// A section is text of ours, or content that is opened when its turn comes.
type section struct {
	text    []byte
	content rt.Body // zero: text
}

// A sectionReader reads sections one after the other and holds at most one
// of them open.
type sectionReader struct {
	rest    []section
	current io.ReadCloser // or nil
	err     error
}

// Read reads from the current section and goes on to the next at its end.
func (s *sectionReader) Read(b []byte) (int, error) {
	for s.err == nil {
		if s.current == nil {
			s.open()
			continue
		}
		n, err := s.current.Read(b)
		if err == io.EOF {
			err = s.current.Close()
			s.current = nil
		}
		if err != nil {
			s.err = err
		}
		if n > 0 || len(b) == 0 {
			return n, nil
		}
	}
	return 0, s.err
}

func (s *sectionReader) open() {
	if len(s.rest) == 0 {
		s.err = io.EOF
		return
	}
	next := s.rest[0]
	s.rest = s.rest[1:]
	if next.content.IsZero() {
		s.current = io.NopCloser(bytes.NewReader(next.text))
		return
	}
	s.current, s.err = next.content.Open()
}

// Close closes the section that is open, and readers that were to be read once
// and now will not be.
func (s *sectionReader) Close() error {
	if s.err == nil {
		s.err = io.ErrClosedPipe
	}
	var errs []error
	if s.current != nil {
		errs = append(errs, s.current.Close())
		s.current = nil
	}
	for _, section := range s.rest {
		if c := section.content; !c.Replayable() {
			if r, err := c.Open(); err == nil {
				errs = append(errs, r.Close())
			}
		}
	}
	s.rest = nil
	return errors.Join(errs...)
}
