package runtime

import "sync"

// Controls are switches for people on call, used while the process runs. Share
// one among the clients it should reach. The zero Controls changes nothing.
type Controls struct {
	mu sync.Mutex
}
