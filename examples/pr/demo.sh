#!/usr/bin/env bash
# A pull request that makes a write unsafe, and the fix, in a git repository of
# its own in a temporary folder. Needs git and resgen (RESGEN names another
# command than the one on PATH). Exits with 1 if lint or diff let the unsafe
# change through, or refuse the fix.
set -euo pipefail
resgen=${RESGEN:-resgen}
repo=$(mktemp -d)
trap 'rm -rf "$repo"' EXIT
cd "$repo"
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com

say() { printf '\n== %s\n' "$1"; }

# expect STATUS COMMAND...: runs the command and wants its exit status.
expect() {
	local want=$1 got=0
	shift
	echo "\$ resgen ${*:2}"
	"$@" || got=$?
	if [ "$got" -ne "$want" ]; then
		echo "exit status $got, want $want" >&2
		exit 1
	fi
}

git init -q -b main
mkdir api
cat > api/mail.yaml <<'YAML'
openapi: 3.0.3
info: {title: Mail, version: "1"}
servers: [{url: https://mail.internal}]
paths:
  /emails:
    post: {operationId: sendEmail, responses: {"202": {description: queued}}}
YAML
cat > resgen.yaml <<'YAML'
version: 1
service: checkout
clients: [{spec: api/mail.yaml, overlays: [api/mail.overlay.yaml], out: internal/mail}]
YAML
cat > api/mail.overlay.yaml <<'YAML'
overlay: 1.0.0
info: {title: Policy for Mail, version: "1"}
actions:
  - target: $
    update: {x-resilience: {timeout: {attempt: 1s, total: 4s}}}
YAML
"$resgen" generate --quiet
git add . && git commit -q -m "Mail, sent once"

say 'a branch retries the mail'
git checkout -q -b more-retries
cat >> api/mail.overlay.yaml <<'YAML'
  - target: $.paths['/emails'].post
    update: {x-resilience: {retry: {maxAttempts: 3}}}
YAML
expect 1 "$resgen" generate
expect 1 "$resgen" lint --new-from main

say 'it says that twice is as once, so that the rules are content; the diff is not'
sed -i 's/{retry: {maxAttempts: 3}}/{retry: {maxAttempts: 3}, idempotency: {class: idempotent, because: we hope so, owner: team-mail}}/' api/mail.overlay.yaml
expect 0 "$resgen" lint --new-from main
expect 1 "$resgen" diff --against main
expect 1 "$resgen" diff --against main --format markdown > comment.md
grep -q 'Unsafe' comment.md

say 'the fix: a key, which the provider knows a repeat by'
sed -i '$d' api/mail.overlay.yaml
cat >> api/mail.overlay.yaml <<'YAML'
    update:
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
      x-resilience: {idempotency: {class: keyed, key: {in: header, name: Idempotency-Key, retention: 24h}}}
YAML
expect 0 "$resgen" lint --new-from main
expect 0 "$resgen" diff --against main
expect 0 "$resgen" generate
git add . && git commit -q -m "Mail, with a key"
expect 0 "$resgen" generate --check

say 'the unsafe change was refused, the fix passes'
