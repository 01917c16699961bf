// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What tests tell the fake driver libraries, and what these tell the tests. Each library has one such object, which it
// exports under the name `fake_driver`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace airamp::gpu::test {

/// One stretch of memory that the driver knows; the numbers of `type` are the driver's.
struct FakeMemory {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;
  unsigned type = 0;
  bool managed = false;
  void* context = nullptr;
  int device = 0;

  bool contains(std::uintptr_t address) const { return address - reinterpret_cast<std::uintptr_t>(begin) < bytes; }
};

struct FakeDriver {
  bool initialised = true;
  std::vector<FakeMemory> memory;

  // CUDA
  void* primary_context = nullptr;  ///< of every device
  bool primary_active = false;
  int primary_references = 1;
  void* current_context = nullptr;
  int current_device = 0;
  bool concurrent_managed_access = false;  ///< of every device
  int attribute_queries = 0;               ///< of devices

  // HIP
  int last_error = 0;

  int queries = 0;     ///< of pointers
  int intrusions = 0;  ///< calls that create or initialise something
};

}  // namespace airamp::gpu::test
