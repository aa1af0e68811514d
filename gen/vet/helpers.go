package vet

import (
	"go/types"
	"regexp"
	"strings"
)

// knownHelpers are functions of well-known libraries that run a function again
// when it returned an error. Keys are package paths without a major version.
var knownHelpers = map[string][]string{
	"github.com/cenkalti/backoff":                            {"Retry", "RetryNotify", "RetryWithData", "RetryNotifyWithData", "RetryNotifyWithTimer", "RetryNotifyWithTimerAndData"},
	"github.com/avast/retry-go":                              {"Do", "DoWithData"},
	"github.com/sethvargo/go-retry":                          {"Do", "DoValue", "Constant", "Exponential", "Fibonacci"},
	failsafePackage:                                          {"Run", "RunWithExecution", "Get", "GetWithExecution", "RunAsync", "RunWithExecutionAsync", "GetAsync", "GetWithExecutionAsync"},
	"github.com/eapache/go-resiliency/retrier":               {"Run", "RunCtx", "RunFn"},
	"github.com/flowchartsman/retry":                         {"Run", "RunContext"},
	"github.com/matryer/try":                                 {"Do"},
	"github.com/Rican7/retry":                                {"Retry"},
	"github.com/thedevsaddam/retry":                          {"DoFunc"},
	"github.com/googleapis/gax-go":                           {"Invoke"},
	"k8s.io/client-go/util/retry":                            {"OnError", "RetryOnConflict"},
	waitPackage:                                              {"ExponentialBackoff", "ExponentialBackoffWithContext", "PollUntilContextTimeout", "PollUntilContextCancel", "Poll", "PollImmediate", "PollWithContext", "PollImmediateWithContext", "PollUntil"},
	"github.com/hashicorp/terraform-plugin-sdk/helper/retry": {"RetryContext", "Retry"},
	"github.com/lestrrat-go/backoff":                         {"Retry"},
	"github.com/rafaeljesus/retry-go":                        {"Do"},
	"github.com/codeGROOVE-dev/retry":                        {"Do", "DoWithData"},
	"github.com/cenk/backoff":                                {"Retry", "RetryNotify"},
	"github.com/juju/retry":                                  {"Call"},
	"github.com/kamilsk/retry":                               {"Do", "Try", "Retry", "Go"},
	"github.com/giantswarm/retry-go":                         {"Do"},
	"github.com/go-pkgz/repeater":                            {"Do"},
	"github.com/slok/goresilience":                           {"Run"},
	"github.com/ory/x/resilience":                            {"Retry"},
	"github.com/thanos-io/thanos/pkg/runutil":                {"Retry", "RetryWithLog"},
	"github.com/hashicorp/consul/sdk/testutil/retry":         {"Run", "RunWith"},
	"github.com/ethereum-optimism/optimism/op-service/retry": {"Do", "Do0", "Do2"},
	"gopkg.in/matryer/try.v1":                                {"Do"},
	"github.com/uber/cadence/common/backoff":                 {"Retry"},
	"go.temporal.io/server/common/backoff":                   {"ThrottleRetry", "ThrottleRetryContext"},
	"cloud.google.com/go/internal":                           {"Retry"},
	"gotest.tools/poll":                                      {"WaitOn"},
}

const (
	waitPackage     = "k8s.io/apimachinery/pkg/util/wait"
	failsafePackage = "github.com/failsafe-go/failsafe-go"
)

var majorVersion = regexp.MustCompile(`/v\d+($|/)`)

// knownHelper is "by NAME's FUNC" where the function belongs to a known retry
// library, or empty.
func knownHelper(fn *types.Func) string {
	for _, name := range knownHelpers[unversioned(fn)] {
		if name == fn.Name() {
			return "by " + fn.Pkg().Name() + "." + name
		}
	}
	return ""
}

// unversioned is the path of a function's package without a major version.
func unversioned(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	return strings.TrimSuffix(majorVersion.ReplaceAllString(fn.Pkg().Path(), "$1"), "/")
}

// asksAgain reports whether a helper runs a condition again until it is true,
// and stops at its first error.
func asksAgain(fn *types.Func) bool { return unversioned(fn) == waitPackage }

// onlyMarked reports whether a helper goes on only after errors that are marked
// as ones to go on after.
func onlyMarked(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Pkg().Path() == "github.com/sethvargo/go-retry"
}
