package rules

import "strings"

// Names of headers, in lower case. The first are idempotency keys by
// convention of their providers; the second name a request for logs and
// traces, so that servers run the same write again under the same value.
var (
	keyHeaders = []string{
		"idempotency-key", "x-idempotency-key", "idempotencykey", "x-idempotencykey", "idempotent-key",
		"paypal-request-id", "repeatability-request-id", "opc-retry-token",
	}
	correlationHeaders = []string{
		"x-request-id", "request-id", "x-correlation-id", "correlation-id", "x-ms-client-request-id",
		"x-ms-request-id", "x-ms-correlation-request-id", "client-request-id", "x-amzn-trace-id", "x-amz-request-id",
		"x-amzn-requestid", "x-trace-id", "x-b3-traceid", "x-b3-spanid", "b3", "traceparent", "tracestate",
		"x-cloud-trace-context", "opc-request-id", "x-client-request-id", "x-github-request-id", "x-session-id",
		"x-client-trace-id", "x-transaction-id", "uber-trace-id", "x-datadog-trace-id", "sentry-trace", "cf-ray",
	}
)

// knownKey reports whether a header is an idempotency key by its name.
func knownKey(name string) bool { return among(keyHeaders, name) }

// correlationID reports whether a header names a request for logs.
func correlationID(name string) bool { return among(correlationHeaders, name) }

func among(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}
