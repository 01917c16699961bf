#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# Runs a command in a memory control group of its own, as root; exit status 77 if there is none to be had.
#
#   with_memory.sh SIZE COMMAND...      SIZE such as 256M, for all processes of the command together
set -eu

size=$1
shift
unified=/sys/fs/cgroup
if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
  folder=/sys/fs/cgroup/memory/airamp-$$
  limit=memory.limit_in_bytes
elif grep -qw memory "$unified/cgroup.subtree_control" 2>/dev/null; then
  folder=$unified/airamp-$$
  limit=memory.max
else
  exit 77
fi
mkdir "$folder" 2>/dev/null || exit 77
trap 'rmdir "$folder" || true' EXIT
echo "$size" >"$folder/$limit"
status=0
(
  echo "$BASHPID" >"$folder/cgroup.procs"
  exec "$@"
) || status=$?
exit $status
