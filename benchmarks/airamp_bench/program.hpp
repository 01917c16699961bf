// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "memory.hpp"
#include "options.hpp"

namespace airamp::benchmark {

/// The main function of a benchmark: `run` between MPI_Init and MPI_Finalize. What it throws, a std::exception, ends
/// the job with its text on stderr after the program's name. Returns what `run` does.
int run_program(const char* name, int argc, char** argv, int (*run)(int argc, char** argv));

/// Opens the memory of MPI_COMM_WORLD's ranks; nullptr on all, with a reason on stderr, if one of them could not or
/// AIRamp is not loaded there. Collective.
std::unique_ptr<Memory> open_memory_with_airamp(const char* program, Place place);

}  // namespace airamp::benchmark
