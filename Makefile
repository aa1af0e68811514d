.DEFAULT_GOAL := all
.PHONY: all build test demo generate golden lint corpus bench bench-gen fuzz soak check-generate cases help
GO ?= go
FUZZTIME ?= 20s

all: build lint test ## build, lint, test

build: ## compile everything
	$(GO) build ./...

# Where goroutines are, the race detector watches. The other stages run on one,
# many of their tests over whole real specs, which it would slow tenfold.
RACED = ./runtime/... ./examples/... ./gen/internal/golang

test: ## every test, in random order, with the race detector where goroutines are
	$(GO) test -race -shuffle=on -timeout 20m $(RACED)
	$(GO) test -race -timeout 20m ./gen/internal/document -run Deterministic
	$(GO) test ./runtime/... -run Cost # allocations cannot be counted under the race detector
	$(GO) test -shuffle=on -timeout 20m $$($(GO) list ./... | grep -vE 'resgen/(runtime|examples|gen/internal/golang)(/|$$)')

demo: ## generate examples/payments and watch its client survive a payment server
	@$(GO) run ./cmd/resgen generate --quiet --config examples/payments/resgen.yaml
	@$(GO) run ./examples/payments

generate: ## make again what is made: the examples' clients, the pages about annotations and rules
	$(GO) run ./cmd/resgen generate --quiet --config examples/payments/resgen.yaml
	$(GO) test ./gen/internal/report ./gen/internal/rules -run 'Docs|Handbook' -count=1 -args -update

golden: ## record what the golden tests get as what they want
	$(GO) test $$(grep -lr 'Bool("update"' --include=*_test.go . | xargs -n1 dirname | grep -v corpus | sort -u) -count=1 -args -update

lint: ## gofmt, vet, staticcheck, the import table
	@test -z "$$(gofmt -l $$(git ls-files '*.go' ':!:*testdata*'))" || { gofmt -l $$(git ls-files '*.go' ':!:*testdata*'); echo 'run: gofmt -w .'; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	cd bench && $(GO) vet ./...
	$(GO) test ./gen -run Imports -count=1

corpus: ## generate, build and vet the client of every real spec in ../shared/specs
	$(GO) test -tags corpus ./gen/internal/corpus -run Corpus -count=1 -v -timeout 30m

cases: ## the small cases in ../shared/cases
	$(GO) test ./gen/internal/cases -run Cases -count=1

bench: ## the runtime beside its peers
	cd bench && $(GO) run ./calls $(BENCHFLAGS)

bench-gen: ## the generator beside its peers, on the real specs
	cd bench && $(GO) run ./generate $(BENCHFLAGS)

fuzz: ## every fuzz target for FUZZTIME
	.ci/fuzz $(FUZZTIME)

soak: ## a million calls with random faults
	RESGEN_SOAK=1000000 $(GO) test ./runtime -run Soak -count=1 -timeout 30m -v

check-generate: generate ## fail if what is made is not what is committed
	git diff --exit-code && test -z "$$(git status --porcelain)"

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
