#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# Runs a command where /dev/shm has little room or none, cannot be written or is missing, in a mount namespace of its own.
#
#   with_dev_shm.sh [--beneath] SIZE|full|read-only|none COMMAND...
#
#   SIZE       as of a tmpfs: 64m
#   --beneath  the command's root is a mount below the real one, as a container's may be
#
# Exit status: the command's; 77 if there are no such namespaces here.
set -eu

if [ "${1:-}" != --inside ]; then
  [ $# -ge 2 ] || { sed -n '3,/^set -eu/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(--map-root-user)
  if ! reason=$(unshare --mount "${as_root[@]}" mount -t tmpfs tmpfs /dev/shm 2>&1); then
    echo "skipped: no mount namespace to be had: $reason"
    exit 77
  fi
  exec unshare --mount "${as_root[@]}" "$0" --inside "$@"
fi

shift
beneath=
[ "$1" != --beneath ] || { beneath=yes; shift; }
room=$1
shift
if [ "$room" = none ]; then
  dev=$(mktemp -d)
  mount -t tmpfs tmpfs "$dev"
  for node in null zero full random urandom tty; do
    touch "$dev/$node"
    mount --bind "/dev/$node" "$dev/$node"
  done
  mkdir "$dev/pts"
  mount --rbind /dev/pts "$dev/pts"
  ln -s pts/ptmx "$dev/ptmx"
  ln -s /proc/self/fd "$dev/fd"
  mount --move "$dev" /dev
  rmdir "$dev"
elif [ "$room" = full ]; then
  mount -t tmpfs -o size=64k tmpfs /dev/shm
  head -c 64K /dev/zero >/dev/shm/filled
elif [ "$room" = read-only ]; then
  mount -t tmpfs -o ro tmpfs /dev/shm
else
  mount -t tmpfs -o "size=$room" tmpfs /dev/shm
fi
if [ -n "$beneath" ]; then
  mount --rbind / /mnt
  exec chroot /mnt "$@"
fi
exec "$@"
