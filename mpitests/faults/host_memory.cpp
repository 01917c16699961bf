// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "mpitests/faults/memory.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {

Memory::Memory(std::size_t bytes) : data_(std::calloc(bytes, 1)), host_(data_) {
  require(data_ != nullptr, "memory of the program's own");
}

Memory::~Memory() { std::free(data_); }

}  // namespace airamp::faults
