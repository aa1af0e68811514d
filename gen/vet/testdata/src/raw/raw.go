package raw

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	_ "payments"
)

const base = "https://api.payments.example"

func calls(ctx context.Context, id string) {
	_, _ = http.Get("https://api.payments.example/v1/charges")                                                        // want `http.Get calls api.payments.example, which has a client: payments`
	_, _ = http.Get(base + "/v1/charges/" + id)                                                                       // want `http.Get calls api.payments.example`
	_, _ = http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("https://api.payments.example/v1/charges/%s", id), nil) // want `http.NewRequestWithContext calls`
	_, _ = http.Get("https://status.payments.example/")
	_, _ = http.Get(id)
	c := &http.Client{}
	_, _ = c.Post(base, "text/plain", nil) // want `http.Post calls`
}

var origin = "https://api.payments.example:443"

func more(ctx context.Context, id string) {
	_, _ = http.Get(origin + "/v1/charges") // want `http.Get calls api.payments.example`
	at := origin + "/v1/charges/" + id
	_, _ = http.Get(at) // want `http.Get calls api.payments.example`
	u, _ := url.Parse("HTTPS://API.payments.example/v1")
	_, _ = http.NewRequest("GET", u.JoinPath("charges").String(), nil)              // want `http.NewRequest calls api.payments.example`
	_ = &http.Request{URL: u}                                                       // want `http.Request calls api.payments.example`
	_ = &http.Request{URL: &url.URL{Scheme: "https", Host: "api.payments.example"}} // want `http.Request calls api.payments.example`
	_, _ = http.Get("http://localhost:8080/v2")                                     // want `http.Get calls localhost:8080`
	_, _ = http.Get("http://localhost:9090/v2")
	_, _ = http.Get("https://api.payments.example.org/")
	other := "https://a.example"
	if id != "" {
		other = "https://api.payments.example"
	}
	_, _ = http.Get(other)
}
