#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# What AIRamp adds to a call that it passes through: an 8-byte MPI_Allreduce, run in turns without and with the library.
#
#   scripts/measure-passthrough.sh [NAME] [ROUNDS]     default: the build openmpi, 15 rounds of each
#
# MPI_COMM_SELF in one process shows the cost itself; between two ranks the noise of waiting is larger than it.
# Ends with status 1 if the cost on MPI_COMM_SELF exceeds the limit of 100 ns.
set -eu

cd "$(dirname "$0")/.."
name=${1:-openmpi}
rounds=${2:-15}
limit=100
build=build/$name
program=$build/benchmarks/passthrough/passthrough_benchmark
mpirun=$(sed -n 's/^MPIEXEC_EXECUTABLE:[^=]*=//p' "$build/CMakeCache.txt")
launcher=("$mpirun")
! "$mpirun" --version 2>&1 | grep -qi 'open mpi\|openrte\|prrte' || launcher+=(--allow-run-as-root --oversubscribe)
samples=$(mktemp -d)
trap 'rm -rf "$samples"' EXIT

# Nanoseconds of one run.
native() { timeout 120 "${launcher[@]}" -n "$1" "$program" "${@:2}"; }
preloaded() { timeout 120 "${launcher[@]}" -n "$1" "$build/apps/airamp/airamp" exec -- "$program" "${@:2}"; }

median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

compare() { # TITLE RANKS options...
  local title=$1
  shift
  rm -f "$samples"/*
  for round in $(seq "$rounds"); do
    # Which of the two goes first alternates.
    if [ $((round % 2)) = 1 ]; then
      native "$@" >>"$samples/native"
      preloaded "$@" >>"$samples/preloaded"
    else
      preloaded "$@" >>"$samples/preloaded"
      native "$@" >>"$samples/native"
    fi
  done
  paste "$samples/native" "$samples/preloaded" | awk '{ print $2 - $1 }' >"$samples/difference"
  difference=$(median "$samples/difference")
  printf '%-26s %12.1f %12.1f %12.1f\n' "$title" "$(median "$samples/native")" "$(median "$samples/preloaded")" \
    "$difference"
}

echo "8-byte MPI_Allreduce, $name, medians of $rounds runs in turns, ns"
printf '%-26s %12s %12s %12s\n' '' native AIRamp difference
compare MPI_COMM_SELF 1 --self
self_difference=$difference
compare 'two ranks, shared memory' 2 --calls 5000 --batches 21
echo "limit: $limit ns"
awk -v difference="$self_difference" -v limit="$limit" 'BEGIN { exit !(difference <= limit) }'
