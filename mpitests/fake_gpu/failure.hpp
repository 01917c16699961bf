// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "gpu/backend.hpp"

namespace airamp::fake_gpu {

/// Whether the function `stage` (open, load, allocate, map, pinned, queue, ghost_queue, launch, ghost, encode, decode,
/// progress, copy, ccl_find, ccl_unique_id, ccl_open, ccl_start) is to fail now, by the environment: FAKE_GPU_FAIL
/// names the stage, FAKE_GPU_FAIL_RANK the only rank of MPI_COMM_WORLD that fails (0), FAKE_GPU_FAIL_AFTER the calls of
/// the stage that succeed before (0). Fills in `error` if so. Thread-safe.
bool fails(std::string_view stage, gpu::Error& error);

/// Ends the process, with a text on stderr: it has done what a GPU would not forgive.
[[noreturn]] void end(const char* what);

/// Puts a text into an error.
void explain(gpu::Error& error, std::string_view text);

}  // namespace airamp::fake_gpu
