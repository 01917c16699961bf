// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/fake_gpu.hpp"
#include "mpitests/faults/memory.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {

Memory::Memory(std::size_t bytes)
    : data_(fake_gpu_allocate(bytes, fake_gpu::Kind::device)), host_(fake_gpu_host_address(data_)) {
  require(data_ != nullptr, "memory of the program's own");
}

Memory::~Memory() { fake_gpu_free(data_); }

}  // namespace airamp::faults
