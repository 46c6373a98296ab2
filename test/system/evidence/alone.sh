#!/bin/sh
# Runs a command in an empty root without a network: nothing is there but the system's libraries, a Node, a package and a folder
# of files, all of them read-only.
#
#   unshare --map-root-user --mount --net sh alone.sh ROOT NODE PACKAGES FILES COMMAND...
#
# ROOT is an empty folder; the folders PACKAGES and FILES are /node_modules and /files in it, NODE is /node.
set -eu
root=$1 node=$2 packages=$3 files=$4
shift 4
mount -t tmpfs -o mode=755 none "$root"
show() {
  if [ -d "$1" ]; then mkdir -p "$root$2"; else : >"$root$2"; fi
  mount --bind "$1" "$root$2"
  mount -o remount,bind,ro "$root$2"
}
for library in /lib /lib64 /usr/lib /usr/lib64; do
  if [ -L "$library" ]; then cp -P "$library" "$root$library"; elif [ -d "$library" ]; then show "$library" "$library"; fi
done
show "$node" /node
show "$packages" /node_modules
show "$files" /files
mount -o remount,ro none "$root"
cd "$root"
exec chroot "$root" /node "$@"
