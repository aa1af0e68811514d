package runtime

import "sync"

// A Registry holds compartments, so that several clients of one dependency in
// a process can share them. Without one each client has its own. The zero
// Registry is ready to use.
type Registry struct {
	mu sync.Mutex
}
