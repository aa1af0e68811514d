package scope

import (
	"net/http"

	"payments"
)

var shared, _ = payments.NewClient(payments.Config{})

func handler(w http.ResponseWriter, r *http.Request) {
	c, err := payments.NewClient(payments.Config{}) // want `a client of payments is made in a request handler`
	_, _ = c, err
}

func loops(n int) {
	for range n {
		_, _ = payments.NewClient(payments.Config{}) // want `made in a loop`
	}
	for i := 0; i < n; i++ {
		_, _ = payments.NewClient(payments.Config{}) // want `made in a loop`
	}
}

func mux() *http.ServeMux {
	m := http.NewServeMux()
	c, _ := payments.NewClient(payments.Config{})
	m.HandleFunc("/a", func(w http.ResponseWriter, r *http.Request) {
		_ = c
		_, _ = payments.NewClient(payments.Config{}) // want `made in a request handler`
	})
	return m
}
