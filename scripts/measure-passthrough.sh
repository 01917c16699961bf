#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# What AIRamp adds to a call that it passes through, and how much of that is for publishing the call: an 8-byte
# MPI_Allreduce, an MPI_Wait for nothing, an MPI_Testany of what has not come and a message there and back, run in turns
# without the library, with it and AIRAMP_TELEMETRY=0, and with it as it is by default.
#
#   scripts/measure-passthrough.sh [NAME] [ROUNDS]     default: the build openmpi, 15 rounds of each
#
# MPI_COMM_SELF in one process shows the cost itself; between two ranks the noise of waiting is larger than it.
# Ends with status 1 if on MPI_COMM_SELF the cost exceeds the limit of 100 ns, or publishing that of 50 ns, or if an
# MPI_Wait costs more than 40 ns.
set -eu
# shellcheck source=scripts/usage.sh
. "$(dirname "$0")/usage.sh"

cd "$(dirname "$0")/.."
name=${1:-openmpi}
rounds=${2:-15}
limit=100
publishing_limit=50
wait_limit=40
build=build/$name
program=$build/benchmarks/passthrough/passthrough_benchmark
patience=120
# shellcheck source=scripts/in-turns.sh
. scripts/in-turns.sh

# Nanoseconds of one run.
silent() { AIRAMP_TELEMETRY=0 preloaded "$@"; }

# The median of the differences between runs of the same round.
difference_of() {
  paste "$samples/$1" "$samples/$2" | awk '{ print $2 - $1 }' >"$samples/difference"
  median "$samples/difference"
}

compare() { # TITLE RANKS options...
  local title=$1
  shift
  rm -f "$samples"/*
  local variants=(native silent preloaded)
  for round in $(seq "$rounds"); do
    # They take turns at going first.
    for variant in 0 1 2; do
      variant=${variants[(round + variant) % 3]}
      "$variant" "$@" >>"$samples/$variant"
    done
  done
  difference=$(difference_of native preloaded)
  publishing=$(difference_of silent preloaded)
  printf '%-26s %10.1f %10.1f %10.1f %10.1f %10.1f\n' "$title" "$(median "$samples/native")" "$(median "$samples/silent")" \
    "$(median "$samples/preloaded")" "$difference" "$publishing"
}

echo "8-byte MPI_Allreduce and calls for messages, $name, medians of $rounds runs in turns, ns"
printf '%-26s %10s %10s %10s %10s %10s\n' '' native silent AIRamp added publishing
compare MPI_COMM_SELF 1 --self
self_difference=$difference
self_publishing=$publishing
compare 'two ranks, shared memory' 2 --calls 5000 --batches 21
compare 'MPI_Wait for nothing' 1 --wait
wait_difference=$difference
compare 'MPI_Testany in vain' 1 --test
compare 'message there and back' 2 --messages --calls 5000 --batches 21
echo "limits on MPI_COMM_SELF: added $limit ns, publishing $publishing_limit ns; of MPI_Wait: added $wait_limit ns"
awk -v added="$self_difference" -v limit="$limit" -v publishing="$self_publishing" -v publishing_limit="$publishing_limit" \
  -v wait="$wait_difference" -v wait_limit="$wait_limit" \
  'BEGIN { exit !(added <= limit && publishing <= publishing_limit && wait <= wait_limit) }'
