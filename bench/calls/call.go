package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/resgen-dev/resgen/examples/payments/payments"
	rt "github.com/resgen-dev/resgen/runtime"
)

const chargeJSON = `{"id":"ch_1","amount":1299,"currency":"EUR"}`

// memory is a transport that answers at once, from memory: a charge, or nothing with a 202.
type memory struct{ status int }

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		if err := r.Body.Close(); err != nil {
			return nil, err
		}
	}
	resp := &http.Response{
		Status: http.StatusText(m.status), StatusCode: m.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, Request: r,
	}
	if m.status != http.StatusAccepted {
		resp.Header.Set("Content-Type", "application/json")
		resp.ContentLength, resp.Body = int64(len(chargeJSON)), io.NopCloser(bytes.NewReader([]byte(chargeJSON)))
	}
	return resp, nil
}

// byHand is the call as one would write it: a timeout, the request, the status,
// the same JSON library. It has no retry, breaker or bulkhead.
func byHand(client *http.Client, method, url string, body any, want int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var reader io.Reader
	if body != nil {
		b, err := json.Marshal(body, json.Deterministic(true))
		if err != nil {
			return err
		}
		reader = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, url, reader)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "bench")
	r.Header.Set("Authorization", "Bearer t")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "0f6a2a52-3b0f-4d8e-9c47-3d2f1b0c7a11")
	}
	return finish(client.Do(r))(want)
}

func finish(resp *http.Response, err error) func(want int) error {
	return func(want int) error {
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != want {
			return fmt.Errorf("status %d", resp.StatusCode)
		}
		b, err := io.ReadAll(resp.Body)
		if err != nil || len(b) == 0 {
			return err
		}
		var c payments.Charge
		return json.Unmarshal(b, &c)
	}
}

// retryable is the same call through go-retryablehttp: retries, no breaker, no
// bulkhead, no key of its own, and a POST is retried as well.
func retryable(client *retryablehttp.Client, method, url string, body any, want int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var raw []byte
	if body != nil {
		b, err := json.Marshal(body, json.Deterministic(true))
		if err != nil {
			return err
		}
		raw = b
	}
	r, err := retryablehttp.NewRequestWithContext(ctx, method, url, raw)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "bench")
	r.Header.Set("Authorization", "Bearer t")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return finish(client.Do(r))(want)
}

func callGroups() []group {
	client := func(status int) *payments.Client {
		c, err := payments.NewClient(payments.Config{
			BaseURL: "http://payments.test", Auth: payments.Auth{Bearer: rt.StaticToken("t")},
			ClientConfig: rt.ClientConfig{Transport: memory{status}},
		})
		if err != nil {
			panic(err)
		}
		return c
	}
	must := func(f func() error) func(*testing.B) {
		if err := f(); err != nil {
			panic(fmt.Errorf("bench: the call does not work: %w", err))
		}
		return each(false, func() { _ = f() })
	}
	hand := func(status int) *http.Client { return &http.Client{Transport: memory{status}} }
	patient := func(status int) *retryablehttp.Client {
		c := retryablehttp.NewClient()
		c.HTTPClient, c.Logger = hand(status), nil
		return c
	}
	reads, writes, mails := client(200), client(201), client(202)
	handRead, handWrite, handMail := hand(200), hand(201), hand(202)
	patientRead, patientWrite := patient(200), patient(201)
	ctx := context.Background()
	charge := payments.NewCharge{Amount: 1299, Currency: payments.CurrencyEUR, Card: "card_1"}
	receipt := payments.NewReceipt{Charge: "ch_1", Email: "ann@example.org"}
	return []group{
		{"one generated read, in-memory transport", 1, []contestant{
			{"resgen", must(func() error { _, err := reads.GetCharge(ctx, payments.GetChargeRequest{ID: "ch_1"}); return err })},
			{"net/http by hand", must(func() error { return byHand(handRead, "GET", "http://payments.test/charges/ch_1", nil, 200) })},
			{"go-retryablehttp", must(func() error {
				return retryable(patientRead, "GET", "http://payments.test/charges/ch_1", nil, 200)
			})},
		}, nil},
		{"one generated keyed write, in-memory transport", 1, []contestant{
			{"resgen", must(func() error {
				_, err := writes.CreateCharge(ctx, payments.CreateChargeRequest{Body: charge})
				return err
			})},
			{"net/http by hand", must(func() error { return byHand(handWrite, "POST", "http://payments.test/charges", charge, 201) })},
			{"go-retryablehttp", must(func() error {
				return retryable(patientWrite, "POST", "http://payments.test/charges", charge, 201)
			})},
		}, nil},
		{"one generated unsafe write, in-memory transport", 1, []contestant{
			{"resgen", must(func() error { return mails.SendReceipt(ctx, payments.SendReceiptRequest{Body: receipt}) })},
			{"net/http by hand", must(func() error {
				return byHand(handMail, "POST", "http://payments.test/receipts", receipt, 202)
			})},
		}, nil},
	}
}
