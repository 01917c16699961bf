// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "gpu/backend.hpp"

namespace airamp::fake_gpu {

/// Shared memory of this process and of others. It has no name in any folder, so nothing is left behind by a process
/// that is killed. Thread-safe.
class Scratch {
 public:
  /// All bytes 0xff; nullptr, with the reason in `error`.
  std::byte* allocate(std::size_t bytes, gpu::ExportedMemory& name, gpu::Error& error);
  std::byte* map(const gpu::ExportedMemory& name, gpu::Error& error);

  /// Whether all bytes of an allocation are 0xff.
  bool is_erased(const std::byte* memory);

  /// Gives back what one of the above returned; ends the process if it did not.
  void release(std::byte* memory);

 private:
  struct Mapping {
    std::size_t bytes;
    int descriptor;
  };
  std::byte* add(int descriptor, std::size_t bytes, gpu::Error& error);

  std::mutex mutex_;
  std::map<const std::byte*, Mapping> mappings_;
};

}  // namespace airamp::fake_gpu
