package main

import (
	"context"
	"fmt"
	"io"

	"github.com/resgen-dev/resgen/examples/payments/payments"
	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// A demo is one run: the server with its book, the client of the scene, and
// what has been promised and seen.
type demo struct {
	screen
	server  *faulttest.Server
	client  *payments.Client
	watch   *watch
	charged []rt.Key // of the charges that the client was told were made
	kept    int      // promises that held
	broken  []string // promises that did not
}

func newDemo(w io.Writer, s style) *demo {
	return &demo{screen: screen{w: w, style: s}, server: faulttest.NewServer()}
}

// charge is what the server answers about a charge.
const charge = `{"id":"ch_1","amount":4200,"currency":"EUR"}`

// begin starts a scene with a fresh client: circuit, budget and bulkhead know
// nothing of what was before.
func (d *demo) begin(weather, what string) {
	d.server.Refuse(false)
	d.server.Forget()
	d.server.OtherwiseOn("POST /charges", faulttest.JSON(201, charge))
	d.server.OtherwiseOn("GET /charges/ch_1", faulttest.JSON(200, charge))
	d.server.OtherwiseOn("GET /fees/EUR", faulttest.JSON(200, `{"currency":"EUR","percent":1.4}`))
	d.server.OtherwiseOn("POST /receipts", faulttest.Step{Status: 202, NoBody: true})
	d.server.OtherwiseOn("POST /reports/search", faulttest.JSON(200, `[]`))
	d.watch = &watch{}
	client, err := payments.NewClient(payments.Config{
		BaseURL:      d.server.URL,
		Auth:         payments.Auth{Bearer: rt.StaticToken("demo")},
		ClientConfig: rt.ClientConfig{Observer: d.watch},
	})
	if err != nil {
		panic(fmt.Sprintf("demo: %v", err)) // the configuration above is not the user's
	}
	d.client = client
	d.heading(weather, what)
}

// promise checks that something holds and says so.
func (d *demo) promise(holds bool, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if holds {
		d.kept++
	} else {
		d.broken = append(d.broken, text)
	}
	d.promised(holds, text)
}

// verdict says how many promises held, and reports whether all did.
func (d *demo) verdict() bool {
	if len(d.broken) == 0 {
		d.closing(d.style.good(fmt.Sprintf("All %d promises held.", d.kept)))
		return true
	}
	d.closing(d.style.bad(fmt.Sprintf("%d of %d promises did not hold.", len(d.broken), d.kept+len(d.broken))))
	return false
}

// A seen is one call as it went.
type seen struct {
	err  error
	info rt.Info
}

// charge charges a card and shows how it went.
func (d *demo) charge() seen {
	s := d.call("createCharge", func(ctx context.Context, info *rt.Info) error {
		_, err := d.client.CreateCharge(ctx, payments.CreateChargeRequest{
			Body: payments.NewCharge{Amount: 4200, Currency: payments.CurrencyEUR, Card: "tok_visa"},
		}, rt.WithInfo(info))
		return err
	})
	if s.err == nil {
		d.charged = append(d.charged, s.info.Key)
	}
	return s
}

// fee reads a fee and shows how it went.
func (d *demo) fee() seen {
	return d.call("getFee", func(ctx context.Context, info *rt.Info) error {
		_, err := d.client.GetFee(ctx, payments.GetFeeRequest{Currency: payments.CurrencyEUR}, rt.WithInfo(info))
		return err
	})
}

// receipt mails a receipt and shows how it went.
func (d *demo) receipt() seen {
	return d.call("sendReceipt", func(ctx context.Context, info *rt.Info) error {
		return d.client.SendReceipt(ctx, payments.SendReceiptRequest{
			Body: payments.NewReceipt{Charge: "ch_1", Email: "ada@example.com"},
		}, rt.WithInfo(info))
	})
}

// search searches reports; it shows nothing, because several run at once.
func (d *demo) search(ctx context.Context) error {
	_, err := d.client.SearchReports(ctx, payments.SearchReportsRequest{})
	return err
}

// call makes a call and shows it in a line.
func (d *demo) call(name string, do func(context.Context, *rt.Info) error) seen {
	d.watch.take()
	var s seen
	s.err = do(context.Background(), &s.info)
	d.line(name, d.watch.take(), s)
	return s
}
