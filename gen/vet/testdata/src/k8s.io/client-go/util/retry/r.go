// Package retry is a stand-in.
package retry

import "k8s.io/apimachinery/pkg/util/wait"

func OnError(backoff wait.Backoff, retriable func(error) bool, fn func() error) error { return fn() }
func RetryOnConflict(backoff wait.Backoff, fn func() error) error                     { return fn() }
