package scope

import (
	"net/http"
	"sync"

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

var (
	lazy sync.Once
	kept *payments.Client
)

func lazily(w http.ResponseWriter, r *http.Request) {
	lazy.Do(func() { kept, _ = payments.NewClient(payments.Config{}) })
}

func perTenant(urls []string) map[string]*payments.Client {
	clients := map[string]*payments.Client{}
	for _, url := range urls {
		clients[url], _ = payments.NewClient(payments.Config{BaseURL: url})
	}
	return clients
}
