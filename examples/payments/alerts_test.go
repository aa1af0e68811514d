package main

import (
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/examples/payments/payments"
	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// TestAlertsWatchWhatIsCounted holds that every series an alert asks for is
// one that the client's metrics show.
func TestAlertsWatchWhatIsCounted(t *testing.T) {
	server := faulttest.NewServer(faulttest.JSON(200, `{"id":"ch_1","amount":1,"currency":"EUR"}`), faulttest.JSON(200, "[]"))
	defer server.Close()
	registry := &rt.Registry{}
	metrics := &rt.Metrics{Registry: registry}
	client, err := payments.NewClient(payments.Config{
		BaseURL: server.URL, Auth: payments.Auth{Bearer: rt.StaticToken("t")},
		ClientConfig: rt.ClientConfig{Transport: server.Transport(), Registry: registry, Observer: metrics},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.GetCharge(t.Context(), payments.GetChargeRequest{ID: "ch_1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.SearchReports(t.Context(), payments.SearchReportsRequest{}); err != nil {
		t.Fatal(err)
	}
	page := httptest.NewRecorder()
	metrics.ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))

	alerts, err := os.ReadFile("payments/alerts.gen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`\w+\{dependency="[^}]*`).FindAllString(string(alerts), -1)
	if len(asked) != 4 {
		t.Errorf("the alerts ask for %q; want a state and a ratio of two compartments", asked)
	}
	for _, series := range asked {
		if !strings.Contains(page.Body.String(), "\n"+series) {
			t.Errorf("nothing counts %s}; the metrics are\n%s", series, page.Body)
		}
	}
}
