// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "benchmarks/airamp_bench/memory.hpp"

namespace airamp::benchmark {

std::unique_ptr<Memory> device_memory(int /*local_rank*/) {
  throw std::runtime_error("--memory device: this program was built without the headers of the CUDA runtime");
}

}  // namespace airamp::benchmark
