// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <stdexcept>

#include "tests/gpu/location/fake_driver.hpp"
#include "tests/gpu/mapped_memory.hpp"

namespace airamp::gpu::test {

/// Loads a fake driver library the way an application's runtime does, for the rest of the process, and returns what it
/// exports.
inline FakeDriver& load_fake_driver(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return *static_cast<FakeDriver*>(dlsym(library, "fake_driver"));
}

/// Memory that a fake driver may call its own.
inline const MappedMemory<4096> some_memory, other_memory;

}  // namespace airamp::gpu::test
