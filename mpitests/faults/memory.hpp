// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::faults {

/// Memory for MPI calls, zeros: of the host (host_memory.cpp), or of the fake GPU (device_memory.cpp).
class Memory {
 public:
  explicit Memory(std::size_t bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// For MPI.
  void* data() const { return data_; }

  /// Where the program itself writes and reads it.
  template <class Value>
  Value* values() const {
    return static_cast<Value*>(host_);
  }

 private:
  void* data_;
  void* host_;
};

}  // namespace airamp::faults
