#!/usr/bin/env bash
# Builds the image of the Dockerfile, looks at what is in it, and runs it as an operator would.
#
#   bash test/system/container/check.sh                     makes its own base image; as root on Debian, some minutes
#   BASE=node:26-slim bash test/system/container/check.sh   where a registry can be reached
#
# No daemon: buildah and podman, with a storage of their own that is removed at the end. docs/internals/reliability.md says more.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../../.." && pwd)
export PATH="$checkout/node_modules/.bin:$PATH"
image=localhost/bluepencil
canary=this-must-not-be-in-the-image

if [[ $EUID -ne 0 ]]; then
  echo 'needs root: it makes a root file system and mounts images' >&2
  exit 2
fi

if [[ ! -x $checkout/node_modules/.bin/node ]]; then
  echo 'needs the Node of this folder: run npm ci first' >&2
  exit 2
fi

work=$(mktemp -d /var/tmp/bluepencil-container.XXXXXX)
chmod 755 "$work"

# shellcheck source=test/system/container/expect.sh
. "$here/expect.sh"
limit() { timeout --foreground --kill-after=10 "$@"; }

# ---------------------------------------------------------------- tools, and a storage of our own

clean_up() {
  set +e
  podman rm --all --force --time 0 >"$work/output" 2>&1
  buildah rm --all >>"$work/output" 2>&1
  podman image umount --all --force >>"$work/output" 2>&1
  findmnt --noheadings --output TARGET --list | grep "^$work/" | sort -r | xargs --no-run-if-empty umount
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

step 'tools'
missing=()
for package in buildah podman debootstrap runc netavark catatonit iptables iproute2 curl chromium; do
  ! command -v dpkg-query >"$work/output" || dpkg-query --show "$package" >"$work/output" 2>&1 || missing+=("$package")
done
if [[ ${#missing[@]} -gt 0 ]]; then
  say "installing ${missing[*]}"
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >"$work/output" 2>&1 ||
    { cat "$work/output"; exit 2; }
fi
say "$(buildah --version)"
say "$(podman --version), $(runc --version | head -1)"

cat >"$work/storage.conf" <<CONF
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
CONF
# runc because crun refuses hybrid cgroups; low limits because raising them needs CAP_SYS_RESOURCE.
cat >"$work/containers.conf" <<CONF
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
static_dir = "$work/storage/libpod"
tmp_dir = "$work/run/libpod"
[network]
network_backend = "netavark"
network_config_dir = "$work/networks"
CONF
export CONTAINERS_STORAGE_CONF="$work/storage.conf" CONTAINERS_CONF="$work/containers.conf"

if [[ -z ${BASE:-} ]]; then
  step 'base image, locally made'
  BASE=localhost/node-slim:26
  limit 600 bash "$here/base.sh" "$work/base" "$BASE" >"$work/output" 2>&1 || { tail -20 "$work/output"; exit 1; }
  rm -rf --one-file-system "$work/base"
else
  step "base image, $BASE"
  BASE=$(limit 600 podman pull --quiet "$BASE")
fi

# ---------------------------------------------------------------- build

step 'build'
# A copy of the checkout, as an untidy person could have it: umask 077, and secrets and left-overs lying about.
context="$work/context"
mkdir "$context"
git -C "$checkout" ls-files -z --cached --others --exclude-standard |
  tar -C "$checkout" --null --files-from=- --ignore-failed-read -c 2>"$work/output" | tar -C "$context" -x
# What npm pack makes of it, to compare the image with: from a copy of its own, which packing changes for a moment.
cp -r "$context" "$work/clean"
ln -s "$checkout/node_modules" "$work/clean/node_modules"
(cd "$work/clean" && limit 120 npm pack --pack-destination "$work") >"$work/output" 2>&1 || { tail -20 "$work/output"; exit 1; }
tar -C "$work" -xzf "$work"/bluepencil-*.tgz
mkdir -p "$context"/{.git,node_modules/vitest,data,config}
for file in .env src/.env src/platform/server.pem .git/config node_modules/vitest/index.js data/journal config/bluepencil.yaml; do
  printf '%s\n' "$canary" >"$context/$file"
done
chmod -R go-rwx "$context"

# npm inside the build trusts the certificates that npm outside it does.
npmrc=()
if [[ -n ${NODE_EXTRA_CA_CERTS:-} ]]; then
  echo 'cafile=/run/certificates.pem' >"$work/npmrc"
  npmrc=(--secret "id=npmrc,src=$work/npmrc" --volume "$NODE_EXTRA_CA_CERTS:/run/certificates.pem:ro")
fi
started=$SECONDS
limit 600 buildah bud --format docker --network host --build-arg "BASE=$BASE" "${npmrc[@]}" \
  --tag "$image" "$context" >"$work/build.log" 2>&1 || { tail -30 "$work/build.log"; exit 1; }
say "built in $((SECONDS - started)) s"

# ---------------------------------------------------------------- what is in it

step 'files'
root=$(podman image mount "$image")
base_root=$(podman image mount "$BASE")
inspect() { podman image inspect --format "{{$1}}" "$image"; }
megabytes() { echo "$(($1 / 1000000)) MB"; }
# Name, kind, mode and owner; of all but folders also size and time.
list() {
  (cd "$1" && find . -mindepth 1 \( -type d -printf '%P %y %m %U:%G\n' -o -printf '%P %y %m %U:%G %s %T@\n' \) | sort)
}
list "$base_root" >"$work/base.files"
list "$root" >"$work/image.files"
comm -13 "$work/base.files" "$work/image.files" | grep -vE '^(app|data)(/| )|^usr/local/bin/bluepencil ' >"$work/elsewhere" || true
comm -23 "$work/base.files" "$work/image.files" >"$work/changed"

expect 'beside the base there is only /app, /data and the command bluepencil' empty "$work/elsewhere"
expect 'nothing of the base was changed or removed' empty "$work/changed"
expect '/app holds LICENSE, dist, node_modules and package.json' \
  same "$(find "$root/app" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | xargs)" 'LICENSE dist node_modules package.json'
expect '/app/dist is what npm pack makes of the checkout, without declarations' \
  diff -r --exclude='*.d.ts' "$work/package/dist" "$root/app/dist"
expect '/app/package.json is that of the package' diff "$work/package/package.json" "$root/app/package.json"
expect 'no planted secret, and none of what .dockerignore keeps out' \
  not grep -rlF "$canary" "$root/app" "$root/data" "$root/root" "$root/home" "$root/tmp" "$root/run"
expect 'the packages are the production packages of the lock file' \
  node "$here/packages.mjs" "$root/app" "$context/package-lock.json"
say "$(tail -1 "$work/output")"
none_installed() {
  local package
  for package; do [[ ! -e $root/app/node_modules/$package ]] || { echo "$package"; return 1; }; done
}
# One that a package of production needs too (intl-messageformat its parser) is there rightly.
mapfile -t tools < <(cd "$context" && node -p "const { packages } = require('./package-lock.json')
  Object.keys(require('./package.json').devDependencies).filter((name) => packages['node_modules/' + name].dev).join('\n')")
expect "none of the ${#tools[@]} devDependencies: ${tools[*]}" none_installed "${tools[@]}"
expect 'no npm cache or log' same "$(find "$root" -xdev \( -name _cacache -o -name _logs \) -print)" ''
expect 'root owns /app, everybody may read it, nobody else may write it' \
  same "$(find "$root/app" ! -type l \( ! -user root -o ! -perm -o=r -o -perm /go=w \) -print | head)" ''
expect 'node owns /data, and it is empty' \
  same "$(stat -c %u "$root/data") $(find "$root/data" | wc -l)" '1000 1'
say "image $(megabytes "$(inspect .Size)"), of it the base $(megabytes "$(podman image inspect --format '{{.Size}}' "$BASE")"), /app $(du -sh --apparent-size "$root/app" | cut -f1) in $(find "$root/app" -type f | wc -l) files"
added=$(($(inspect .Size) - $(podman image inspect --format '{{.Size}}' "$BASE")))
expect 'it adds at most 50 MB to the base' test "$added" -le 50000000
say "$(megabytes "$added") beside the base"
podman image umount --all >"$work/output"

step 'settings'
expect 'the user is not root' same "$(inspect .Config.User)" node
expect 'VOLUME /data' same "$(inspect 'json .Config.Volumes')" '{"/data":{}}'
expect 'EXPOSE 8080 8081' same "$(inspect 'json .Config.ExposedPorts')" '{"8080/tcp":{},"8081/tcp":{}}'
expect 'HEALTHCHECK' grep -q BLUEPENCIL_HEALTH_URL <<<"$(inspect 'json .HealthCheck')"
expect 'no secret in the history or the settings' not grep -qiE 'npmrc=|_authtoken|whsec_' \
  <<<"$(podman image inspect "$image") $(podman history --no-trunc "$image")"

# ---------------------------------------------------------------- run it

# In a network name space of its own, so that neither ports nor firewall rules of this machine are touched.
SECONDS=$SECONDS limit 300 unshare --net bash "$here/run.sh" "$image" "$work" || failures=$((failures + 1))

step 'from nothing to the first alerts, in a browser'
mkdir "$work/desk"
expect 'the package installs in an empty folder' \
  limit 300 npm install --prefix "$work/desk" --no-audit --no-fund "$work"/bluepencil-*.tgz
expect 'within 400 words, 3 minutes to Slack, 6 minutes to Discord and e-mail' limit 300 unshare --net sh -c \
  "ip link set lo up && exec node '$here/first-alert.ts' --image '$image' --package '$work/desk' --pace 10"
sed 's/^/     /' "$work/output"

step 'done'
if ((failures > 0)); then
  echo 'not all checks passed'
  exit 1
fi
echo 'all checks passed'
