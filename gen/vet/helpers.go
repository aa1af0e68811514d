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
	"github.com/failsafe-go/failsafe-go":                     {"Run", "RunWithExecution", "Get", "GetWithExecution", "RunAsync", "RunWithExecutionAsync", "GetAsync", "GetWithExecutionAsync"},
	"github.com/eapache/go-resiliency/retrier":               {"Run", "RunCtx", "RunFn"},
	"github.com/flowchartsman/retry":                         {"Run", "RunContext"},
	"github.com/matryer/try":                                 {"Do"},
	"github.com/Rican7/retry":                                {"Retry"},
	"github.com/thedevsaddam/retry":                          {"DoFunc"},
	"github.com/googleapis/gax-go":                           {"Invoke"},
	"k8s.io/client-go/util/retry":                            {"OnError", "RetryOnConflict"},
	"k8s.io/apimachinery/pkg/util/wait":                      {"ExponentialBackoff", "ExponentialBackoffWithContext", "PollUntilContextTimeout", "PollUntilContextCancel", "Poll", "PollImmediate"},
	"github.com/hashicorp/terraform-plugin-sdk/helper/retry": {"RetryContext", "Retry"},
	"github.com/lestrrat-go/backoff":                         {"Retry"},
	"github.com/rafaeljesus/retry-go":                        {"Do"},
	"github.com/codeGROOVE-dev/retry":                        {"Do", "DoWithData"},
}

var majorVersion = regexp.MustCompile(`/v\d+($|/)`)

// knownHelper is "by NAME's FUNC" where the function belongs to a known retry
// library, or empty.
func knownHelper(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	path := strings.TrimSuffix(majorVersion.ReplaceAllString(fn.Pkg().Path(), "$1"), "/")
	for _, name := range knownHelpers[path] {
		if name == fn.Name() {
			return "by " + fn.Pkg().Name() + "." + name
		}
	}
	return ""
}
