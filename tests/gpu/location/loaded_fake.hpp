// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <stdexcept>

#include "tests/gpu/location/fake_driver.hpp"

namespace airamp::gpu::test {

/// Loads a fake driver library the way an application's runtime does, for the rest of the process, and returns what it
/// exports.
inline FakeDriver& load_fake_driver(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return *static_cast<FakeDriver*>(dlsym(library, "fake_driver"));
}

/// Memory of this process that a fake driver may call its own.
inline std::array<std::byte, 4096> some_memory, other_memory;

}  // namespace airamp::gpu::test
