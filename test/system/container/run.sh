#!/usr/bin/env bash
# Runs an image as docs/run.md tells operators to, and watches it from outside. Called by check.sh, in a
# network name space that holds nothing else.
#
#   run.sh IMAGE FOLDER     FOLDER is for temporary files
#
# Functions that seem unreachable are called through `expect`.
# shellcheck disable=SC2317
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
image=$1
work=$2
name=bluepencil-check
secret=whsec_of_the_container_check
url=
took=
memory=
# shellcheck source=test/system/container/expect.sh
. "$here/expect.sh"

# podman says on standard error that it cannot plan health checks without systemd; they are run here by hand.
trap 'podman rm --all --force --time 0 >"$work/output" 2>&1 || true' EXIT
ip link set lo up

step 'run'
mkdir "$work/config"
cat >"$work/config/bluepencil.yaml" <<CONF
webhook:
  secrets: ["\${WEBHOOK_SECRET}"]
channels:
  - name: desk
    type: console
CONF
chmod -R a+rX "$work/config"
cat >"$work/event.json" <<CONF
{"id":"evt_container","type":"policy_change","model":"claude","data":{"category":"political","delta":"+12pp",
"detected_at":"$(date -u +%FT%TZ)"},"methodology":"https://monitor.example/methodology"}
CONF

# Stricter than operators are asked to be: podman's own temporary folders are off too.
start() {
  podman run --detach --name "$name" --read-only --read-only-tmpfs=false --tmpfs /tmp --cap-drop ALL \
    --security-opt no-new-privileges --publish 127.0.0.1::8080 --volume bluepencil-data:/data \
    --volume "$work/config:/config:ro" --env "WEBHOOK_SECRET=$secret" "$@" "$image"
  url=http://$(podman port "$name" 8080/tcp)
}
ready() {
  local tries
  for ((tries = 0; tries < 100; tries++)); do
    curl --silent --fail --max-time 5 --output "$work/readyz" "$url/readyz" && return
    sleep 0.2
  done
  podman logs "$name"
  return 1
}
post() { node "$here/post.mjs" "$url/webhook" "$@" <"$work/event.json"; }
inside() { podman exec "$name" "$@"; }
exit_code() { podman inspect --format '{{.State.ExitCode}}' "$name"; }
# After ten seconds podman kills, and the exit code is 137.
stop() {
  local started
  started=$(date +%s%N)
  timeout 30 podman stop --time 10 "$name" || return
  took=$((($(date +%s%N) - started) / 1000000))
  ((took < 10000))
}
remove() { podman rm "$name" >"$work/output" 2>&1; }
# After some seconds without work it frees what its start needed. Only its own memory counts. Resident memory (VmRSS) also has
# the pages of Node's program that were read: the kernel shares them between containers and drops them under pressure.
rests() {
  local tries
  for ((tries = 0; tries < 100; tries++)); do
    memory=$(inside grep RssAnon /proc/1/status | tr -dc 0-9)
    ((memory < 60 * 1024)) && return
    sleep 0.2
  done
  inside grep -E 'VmRSS|RssAnon|RssFile' /proc/1/status
  return 1
}
healthy() { timeout 30 podman healthcheck run "$name"; }

expect 'it starts: read-only root, no capabilities, a published port' start
expect 'it becomes ready' ready
say "$(cat "$work/readyz")"
expect 'at rest it keeps less than 60 MiB of its own' rests
say "$memory kB with the console channel only; resident, with the program: $(inside grep VmRSS /proc/1/status | tr -dc 0-9) kB"
expect 'it runs as uid 1000, with no capability' \
  same "$(inside sh -c 'id -u; grep CapEff /proc/1/status' | xargs)" '1000 CapEff: 0000000000000000'
expect 'it may write in /data and /tmp' inside sh -c 'touch /data/x /tmp/x && rm /data/x /tmp/x'
expect 'and nowhere else' not inside sh -c 'touch /app/x || touch /home/node/x || touch /run/x || touch /var/tmp/x'
expect 'a signed delivery is accepted: 202' same "$(post "$secret")" 202
expect 'the same again is known: 200' same "$(post "$secret")" 200
expect 'unsigned is refused: 401' same "$(post)" 401
expect 'wrongly signed is refused: 401' same "$(post whsec_another)" 401
expect 'podman healthcheck run says healthy' healthy
expect 'bluepencil explain, inside: sent to the desk' grep -qE 'desk.*sent' <<<"$(inside bluepencil explain evt_container 2>&1)"

mkdir "$work/evidence"
makes_evidence() {
  inside bluepencil evidence evt_container --output /tmp/evidence.json &&
    inside cat /tmp/evidence.json >"$work/evidence/whole.json" && chmod -R a+rX "$work/evidence"
}
expect 'bluepencil evidence, inside: a file' makes_evidence
head=$(inside bluepencil chain | cut -d' ' -f3)

expect 'SIGTERM ends it within 10 s' stop
say "it took $took ms"
expect 'in good order: exit code 0' same "$(exit_code)" 0
expect 'the desk was told, on standard output' grep -q -i claude <<<"$(podman logs "$name" 2>"$work/output")"
expect 'the secret is not in the log' not grep -qF "$secret" <<<"$(podman logs "$name" 2>&1)"
remove

step 'run again, another container on the same volume'
# An address where nothing listens: the health check must be able to fail.
expect 'it starts' start --init --env BLUEPENCIL_HEALTH_URL=http://127.0.0.1:9/healthz --env NODE_DEBUG_NATIVE=COMPILE_CACHE
expect 'it becomes ready' ready
expect 'the delivery of the first run is known: 200' same "$(post "$secret")" 200
expect 'the health check notices when nothing answers' same "$(healthy 2>"$work/output")" unhealthy
expect 'SIGTERM ends it within 10 s' stop
expect 'in good order: exit code 0' same "$(exit_code)" 0
podman logs "$name" >"$work/told" 2>"$work/compiled"
expect 'the desk was not told twice' not grep -i claude "$work/told"
expect 'what it loads was compiled in the image' grep -q 'for ESM .*/dist/commands/serve.js.* success' "$work/compiled"
# What Node compiles it tries to keep.
expect 'all of it' not grep -E 'Creating temporary file|Cannot create cache' "$work/compiled"
remove

step 'evidence, verified in a container without network and store'
# Nothing of the installation is there: neither its volume nor its configuration, and no interface but a loopback.
alone() {
  local command=$1
  shift
  podman run --rm --entrypoint "$command" --network none --read-only --read-only-tmpfs=false --tmpfs /data --tmpfs /tmp --cap-drop ALL \
    --security-opt no-new-privileges --volume "$work/evidence:/evidence:ro" "$image" "$@" 2>"$work/podman"
}
expect 'there is no network, store or configuration' \
  same "$(alone sh -c 'ls /sys/class/net; ls -A /data; ls -d /config 2>&1 | grep -o "No such"' | xargs)" 'lo No such'
expect 'the file is whole, and the published head stands for it' \
  grep -q 'The head that you gave covers this event' <<<"$(alone bluepencil verify /evidence/whole.json --head "$head")"
mapfile -t parts < <(node "$here/change.mjs" "$work/evidence")
names_each() {
  local part said
  for part; do
    said=$(alone bluepencil verify "/evidence/$part.json") && { echo "$part: a changed byte was not noticed"; return 1; }
    grep -q "^  $part: " <<<"$said" || { echo "$part is not named: $said"; return 1; }
  done
}
expect "a changed byte is named in each of ${#parts[@]} parts: ${parts[*]}" names_each "${parts[@]}"

step 'with nothing beside it: no configuration, no variable'
expect 'it starts' podman run --detach --name "$name" --read-only --read-only-tmpfs=false --tmpfs /tmp --cap-drop ALL \
  --security-opt no-new-privileges --publish 127.0.0.1::8080 --publish 127.0.0.1::8081 --volume bluepencil-new:/data "$image"
url=http://$(podman port "$name" 8080/tcp)
desk=http://$(podman port "$name" 8081/tcp)
runs() {
  local tries
  for ((tries = 0; tries < 100; tries++)); do
    curl --silent --fail --max-time 5 --output "$work/output" "$url/healthz" && return
    sleep 0.2
  done
  podman logs "$name"
  return 1
}
expect 'it runs' runs
expect 'and is not ready, since it is not set up' grep -q not_set_up <<<"$(curl --silent --max-time 5 "$url/readyz")"
expect 'podman healthcheck run says healthy' healthy
expect 'the console is reached from outside the container' \
  same "$(curl --silent --location --max-time 5 --output "$work/output" --write-out '%{http_code}' "$desk/console/")" 200
expect 'the log shows the address to open, with its key' grep -q '/console/setup' <<<"$(podman logs "$name" 2>&1)"
expect 'SIGTERM ends it within 10 s' stop
remove

step 'init in the image'
mkdir "$work/own"
init() {
  podman run --rm --network none --read-only --read-only-tmpfs=false --cap-drop ALL --security-opt no-new-privileges \
    --volume "$work/own:/config" "$image" init --no-try "$@" >"$work/init" 2>&1
}
webhook=(--channel slack-webhook --slack-webhook https://hooks.slack.com/services/T0/B0/abc)
expect 'a folder of another user is refused' not init "${webhook[@]}"
expect 'in a sentence' grep -q '/config must be a folder that user 1000 may write in' "$work/init"
chown 1000 "$work/own"
expect 'it writes the configuration, and the secrets beside it' init "${webhook[@]}"
expect 'says what comes next' grep -q 'start the container with the same folder at /config' "$work/init"
expect 'both belong to the user of the image, the secrets to nobody else' \
  same "$(stat -c '%n %u %a' "$work/own/.env" "$work/own/bluepencil.yaml" | sed "s|$work/own/||" | xargs)" '.env 1000 600 bluepencil.yaml 1000 644'
expect 'a second run adds a channel' init --add channel "${webhook[@]}" --name night
expect 'what is there is used: test-alert knows both' \
  grep -q 'ai-desk.*night' <<<"$(podman run --rm --network none --volume "$work/own:/config:ro" "$image" test-alert nobody 2>&1)"

step 'stopped while it starts'
# As process 1, without --init, a process does not receive signals for which it has no handler yet.
expect 'it starts' start --init
expect 'SIGTERM ends it within 10 s' stop
say "it took $took ms, exit code $(exit_code)"
remove

exit $((failures > 0))
