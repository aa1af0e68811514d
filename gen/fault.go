package gen

import (
	"errors"
	"io/fs"
	"os"
)

// IsFileError reports whether an error is one of the file system's: a folder
// that may not be written to, a full disk. The user can mend those; any other
// error of this package is a fault of resgen.
func IsFileError(err error) bool {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*os.LinkError](err); ok {
		return true
	}
	_, ok := errors.AsType[*os.SyscallError](err)
	return ok
}
