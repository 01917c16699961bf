// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

namespace airamp::pmpi {

/// Memory for one measured result, every page of it present. Mapped, not allocated: the MPI library allocates as well,
/// and would be measured with memory that it does not find otherwise. Empty if there is none to be had.
class MeasuringScratch {
 public:
  explicit MeasuringScratch(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0 || !affordable(bytes)) return;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory != MAP_FAILED) memory_ = static_cast<std::byte*>(memory);
  }
  ~MeasuringScratch() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
  }
  MeasuringScratch(const MeasuringScratch&) = delete;
  MeasuringScratch& operator=(const MeasuringScratch&) = delete;

  std::byte* data() const { return memory_; }

  /// Whether every processor's rank could take so much without bringing the host near its end: memory that is not there
  /// kills the application when it is written to, not when it is asked for.
  static bool affordable(std::size_t bytes) {
    const long pages = sysconf(_SC_AVPHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (pages <= 0 || page_size <= 0 || processors <= 0) return false;
    const auto available = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_size);
    return bytes <= available / 2 / static_cast<std::size_t>(processors);
  }

 private:
  std::size_t bytes_;
  std::byte* memory_ = nullptr;
};

}  // namespace airamp::pmpi
