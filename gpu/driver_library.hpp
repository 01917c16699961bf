// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace airamp::gpu {

/// Shared libraries that this process has loaded so far; only ever grows. About 15 ns. Thread-safe.
std::uint64_t loaded_library_count() noexcept;

/// A GPU driver's library, if the application has loaded it. Never loads it, nor anything else; once found it stays in
/// the process. Thread-safe.
class DriverLibrary {
 public:
  /// The library whose file name begins with `file_prefix`, for instance "libdriver.so".
  explicit constexpr DriverLibrary(std::string_view file_prefix) noexcept : file_prefix_(file_prefix) {}

  /// The library's handle for dlsym(), or nullptr. Looks through the loaded libraries only if `load_count`, which is
  /// loaded_library_count(), is not that of the last look.
  void* handle(std::uint64_t load_count) noexcept;

 private:
  std::string_view file_prefix_;
  std::atomic<void*> handle_{nullptr};
  std::atomic<std::uint64_t> looked_at_{0};
};

}  // namespace airamp::gpu
