// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/airamp_bench/options.hpp"
#include "benchmarks/airamp_bench/table.hpp"

namespace airamp::benchmark {

/// Times collectives of FP64 on host memory beside the MPI library's own functions, which are called without AIRamp in
/// between, in turns: a row for each collective and size, on stdout of rank 0 (`speaks`) and in the JSON file of the
/// options, if they name one. Ranks on several hosts have no common clock, and are timed back to back alone. Collective
/// over MPI_COMM_WORLD. Returns the exit status: 1 if some bit of a result differs from native, or the file cannot be
/// written. Throws std::runtime_error if the MPI library's own functions are not found.
int run_host_table(const Options& options, const RunInfo& info, bool speaks);

}  // namespace airamp::benchmark
