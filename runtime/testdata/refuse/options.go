package refuse

import (
	"context"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

// As generated: one operation that may be repeated, and one that may not.
func createCharge(context.Context, ...rt.RepeatableOption) error { return nil }
func createRefund(context.Context, ...rt.Option) error           { return nil }

func fine(ctx context.Context) {
	_ = createCharge(ctx, rt.WithTimeout(time.Second), rt.WithMaxAttempts(2), rt.WithIdempotencyKey(rt.Key{}))
	_ = createRefund(ctx, rt.WithTimeout(time.Second), rt.WithoutRetry(), rt.WithInfo(nil))
}

func refused(ctx context.Context) {
	_ = createRefund(ctx, rt.WithMaxAttempts(2))           // want "RepeatableOption does not implement .*Option \(missing method appliesToAnyOperation\)"
	_ = createRefund(ctx, rt.WithIdempotencyKey(rt.Key{})) // want "RepeatableOption does not implement .*Option \(missing method appliesToAnyOperation\)"
}
