package gen

import (
	"regexp"
	"runtime/debug"
)

// Version is the release of resgen that the binary was built from: "v1.2.3",
// or "devel" where it was built from a working tree. A commit of ours is no
// version: it would change every generated package with each of them.
func Version() string {
	const path = "github.com/resgen-dev/resgen"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if info.Main.Path == path {
		return released(info.Main.Version)
	}
	for _, dep := range info.Deps {
		if dep.Path == path {
			return released(dep.Version)
		}
	}
	return "devel"
}

var release = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[a-z]+\.\d+)?$`)

// released is the version where it is a release's, else "devel".
func released(v string) string {
	if release.MatchString(v) {
		return v
	}
	return "devel"
}
