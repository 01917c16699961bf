// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "mpitests/real_device/format.hpp"

namespace airamp::gpu_tests {

/// Which numbers: whole ones from -largest to largest, of rank `rank` in call `call`.
struct Numbers {
  Format format;
  std::uint64_t call;
  int rank;
  int ranks;    ///< of a sum: those of ranks rank ... rank + ranks - 1
  int largest;  ///< such that the sums are exact in the format
};

/// What the checks have found; in device memory.
struct Findings {
  unsigned long long wrong_elements;
  unsigned long long first_wrong_call;  ///< ~0: none
};

/// Both are kernels on `stream` that work on elements begin ... begin + count - 1 of a vector, which lie at `data`.
void fill(const Numbers& numbers, void* data, std::size_t begin, std::size_t count, cudaStream_t stream);
void check(const Numbers& numbers, const void* data, std::size_t begin, std::size_t count, Findings* findings,
           cudaStream_t stream);

}  // namespace airamp::gpu_tests
