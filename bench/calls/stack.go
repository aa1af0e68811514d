package main

import (
	"context"
	"errors"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/fallback"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	rt "github.com/resgen-dev/resgen/runtime"
)

var stackPolicy = rt.Policy{
	Class: rt.Safe,
	Compartment: &rt.Compartment{
		Dependency: "bench",
		Breaker: rt.Breaker{
			FailureRate: 50 * rt.Percent, SlowRate: 80 * rt.Percent, Window: 10 * time.Second, MinimumCalls: 10,
			OpenFor: 30 * time.Second, Probes: rt.Probes{Count: 3, Successes: 2},
		},
		Bulkhead: rt.Bulkhead{MaxConcurrent: 64, MaxQueue: 128, MaxWait: 100 * time.Millisecond},
		Budget:   rt.Budget{Ratio: 20 * rt.Percent, Floor: rt.PerSecond, Window: 10 * time.Second},
	},
	Timeout: rt.Timeout{Attempt: 5 * time.Second, Total: 15 * time.Second, MinRemaining: time.Millisecond},
	Retry: rt.Retry{
		MaxAttempts: 3, When: rt.When{Timeout: true, Connection: true},
		Backoff: rt.Backoff{Initial: 100 * time.Millisecond, Max: 2 * time.Second, Multiplier: 2, Jitter: rt.FullJitter},
	},
	SlowOver: 2500 * time.Millisecond,
}

// failsafeStack is the same five layers.
func failsafeStack() failsafe.Executor[int] {
	return failsafe.With[int](
		fallback.NewWithResult(0),
		retrypolicy.NewBuilder[int]().WithMaxAttempts(3).WithBackoff(100*time.Millisecond, 2*time.Second).WithJitterFactor(0.5).AbortOnErrors(circuitbreaker.ErrOpen).Build(),
		circuitbreaker.NewBuilder[int]().WithFailureRateThreshold(0.5, 10, 10*time.Second).WithDelay(30*time.Second).Build(),
		bulkhead.NewBuilder[int](64).WithMaxWaitTime(100*time.Millisecond).Build(),
		timeout.New[int](5*time.Second),
	)
}

func stackGroups() []group {
	soon, cancel := context.WithTimeout(context.Background(), time.Hour)
	_ = cancel // the program's end is soon enough
	// A deadline tighter than the attempt's limit needs no timer of ours: the
	// hour is tighter than the policy's two.
	untimed := stackPolicy
	compartment := *stackPolicy.Compartment
	untimed.Compartment = &compartment
	untimed.Timeout.Attempt, untimed.Timeout.Total = 2*time.Hour, 2*time.Hour
	untimed.SlowOver = time.Hour
	fs := failsafeStack()
	background := context.Background()
	function := func(context.Context) error { sink++; return nil }
	theirs := func() (int, error) { sink++; return sink, nil }
	for _, err := range []error{rt.Run(background, &stackPolicy, function), rt.Run(soon, &untimed, function)} {
		if err != nil {
			panic(errors.Join(errors.New("bench: the stack does not run"), err))
		}
	}
	return []group{
		{"five layers, caller's deadline tighter (no timer)", 1, []contestant{
			{"resgen", each(false, func() { _ = rt.Run(soon, &untimed, function) })},
			{"failsafe-go", each(false, func() { _, _ = fs.WithContext(soon).Get(theirs) })},
		}, map[string]float64{"failsafe-go": 10}},
		{"five layers with the attempt timer", 1, []contestant{
			{"resgen", each(false, func() { _ = rt.Run(background, &stackPolicy, function) })},
			{"failsafe-go", each(false, func() { _, _ = fs.Get(theirs) })},
			{"context.WithTimeout alone", each(false, func() {
				ctx, cancel := context.WithTimeout(background, 5*time.Second)
				_ = function(ctx)
				cancel()
			})},
		}, map[string]float64{"failsafe-go": 2}},
	}
}
