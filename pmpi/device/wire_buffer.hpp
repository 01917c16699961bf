// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

#include "codec/codec.hpp"
#include "pmpi/device/gpu_device.hpp"
#include "pmpi/job/mapped_memory.hpp"
#include "pmpi/job/scratch_budget.hpp"

namespace airamp::pmpi {

/// Zeroed host memory for wire rows, aligned to cache lines and touched: no page fault inside a call. Within the budget
/// of host scratch.
class WireBuffer {
 public:
  /// Throws NoScratch or std::bad_alloc.
  explicit WireBuffer(std::size_t rows)
      : share_(bytes_of(rows)), mapped_(bytes_of(rows)), bytes_(mapped_.data()), rows_(rows) {
    if (bytes_ == nullptr) throw NoScratch(ScratchAnswer::no_memory);
  }

  /// Pinned memory, which the GPU reaches as well. Throws NoScratch or std::bad_alloc.
  WireBuffer(std::size_t rows, GpuDevice& device)
      : share_(bytes_of(rows)),
        pinned_(device.allocate_host(bytes_of(rows)), Unpin{&device}),
        bytes_(pinned_.get()),
        rows_(rows) {
    if (bytes_ == nullptr) throw NoScratch(ScratchAnswer::no_memory);
    std::memset(bytes_, 0, bytes_of(rows));
  }

  std::byte* row(std::size_t index) { return bytes_ + index * codec::wire_row_bytes; }
  std::size_t rows() const { return rows_; }

 private:
  struct Unpin {
    void operator()(std::byte* memory) const { device->free_host(memory); }
    GpuDevice* device;
  };

  static std::size_t bytes_of(std::size_t rows) { return (rows > 0 ? rows : 1) * codec::wire_row_bytes; }

  BudgetShare share_;
  MappedMemory mapped_;
  std::unique_ptr<std::byte, Unpin> pinned_;
  std::byte* bytes_;
  std::size_t rows_;
};

}  // namespace airamp::pmpi
