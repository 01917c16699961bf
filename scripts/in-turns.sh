# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
#
# For scripts that run a program natively and with the library in turns: set `build` (build/NAME), `program` and
# `patience` (seconds for one run), and source usage.sh, then this.

[ -f "$build/CMakeCache.txt" ] || mistake "there is no $build, which scripts/build makes"
mpirun=$(sed -n 's/^MPIEXEC_EXECUTABLE:[^=]*=//p' "$build/CMakeCache.txt")
launcher=("$mpirun")
! "$mpirun" --version 2>&1 | grep -qi 'open mpi\|openrte\|prrte' || launcher+=(--allow-run-as-root --oversubscribe)
samples=$(mktemp -d)
trap 'rm -rf "$samples"' EXIT

# RANKS options...
native() { timeout "$patience" "${launcher[@]}" -n "$1" "$program" "${@:2}"; }
preloaded() { timeout "$patience" "${launcher[@]}" -n "$1" "$build/apps/airamp/airamp" exec -- "$program" "${@:2}"; }

# Of the numbers in a file, one on each line.
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
