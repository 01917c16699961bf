// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

namespace rtm_stack {

/// GPU memory through the CUDA runtime, which is opened when the program runs: it is built where there is none. Errors
/// are std::runtime_error.
class DeviceMemory {
 public:
  /// Makes GPU number `local_rank` mod (number of GPUs) this process's device. Throws if there is no library or no GPU.
  explicit DeviceMemory(int local_rank);

  /// Gives the memory back.
  struct Release {
    int (*function)(void*);
    void operator()(void* data) const { function(data); }
  };
  using Buffer = std::unique_ptr<void, Release>;

  Buffer allocate(std::size_t bytes) const;

  /// Between host and device, either way; done on return.
  void copy(void* to, const void* from, std::size_t bytes) const;

 private:
  int (*allocate_)(void**, std::size_t) = nullptr;
  int (*release_)(void*) = nullptr;
  int (*copy_)(void*, const void*, std::size_t, int) = nullptr;
  int (*synchronize_)() = nullptr;
};

/// This process's rank among those of its host, from the launcher's environment; 0 if it says nothing.
int local_rank();

}  // namespace rtm_stack
