#!/usr/bin/env bash
# Renders the chart with Debian's Go and sprig, of which Helm's own engine is made, into rendered/, which npm test holds against
# the schemas of Kubernetes and against the chart: run it after each change of the chart. As root it installs what is missing.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
export GO111MODULE=off GOPATH=/usr/share/gocode
sprig=$GOPATH/src/github.com/Masterminds/sprig
if ! command -v go >/dev/null || [ ! -d "$sprig" ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends golang-go golang-github-masterminds-sprig-dev
fi
here=test/system/deploy/chart
program=$(mktemp)
trap 'rm -f "$program"' EXIT
go build -o "$program" "$here/render.go"
for name in usual everything; do
  node "$here/given.ts" "$name" | "$program" docs/deploy/helm/bluepencil/templates/* >"$here/rendered/$name.yaml"
done
node "$here/given.ts" refused | "$program" docs/deploy/helm/bluepencil/templates/* 2>"$here/rendered/refused.txt" >/dev/null && exit 1
node "$here/given.ts" hash >"$here/rendered/of.txt"
echo "rendered: $(grep -c '^---' "$here"/rendered/*.yaml | tr '\n' ' ')"
