package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Folders lists the case folders beneath each of the given folders, sorted: those
// that hold a case.md, or else a spec.yaml. A folder that does not exist has none.
func Folders(dirs ...string) ([]string, error) {
	var out []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		switch {
		case os.IsNotExist(err):
			continue
		case err != nil:
			return nil, err
		}
		for _, e := range entries {
			for _, file := range []string{"case.md", "spec.yaml"} {
				if _, err := os.Stat(filepath.Join(dir, e.Name(), file)); err == nil {
					out = append(out, filepath.Join(dir, e.Name()))
					break
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// IDs names each case folder by its own name, and those that share it by their
// parent's too.
func IDs(folders []string) map[string]string {
	count := map[string]int{}
	for _, f := range folders {
		count[filepath.Base(f)]++
	}
	out := map[string]string{}
	for _, f := range folders {
		id := filepath.Base(f)
		if count[id] > 1 {
			id = filepath.Base(filepath.Dir(f)) + "." + id
		}
		out[f] = id
	}
	return out
}

// Wanted reports whether the pattern of go test's -run asks for a subtest, so
// that only the clients of those are generated and built.
func Wanted(pattern, subtest string) (bool, error) {
	_, sub, ok := strings.Cut(pattern, "/")
	if !ok || sub == "" {
		return true, nil
	}
	re, err := regexp.Compile(sub)
	if err != nil {
		return false, fmt.Errorf("-run %s: %w", pattern, err)
	}
	return re.MatchString(subtest), nil
}
