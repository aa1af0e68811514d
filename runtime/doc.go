// Package runtime carries the calls of generated clients. Import it as rt.
package runtime
