// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>

namespace airamp::pmpi {

/// Shares out the bytes 0 ... capacity, first fit, in units of `granularity`. Not thread-safe. May throw bad_alloc.
class OffsetAllocator {
 public:
  static constexpr std::size_t granularity = 4096;

  explicit OffsetAllocator(std::size_t capacity) : capacity_(capacity / granularity * granularity) {}

  /// The offset of `bytes` > 0 bytes that nobody else has; nothing if there are none.
  std::optional<std::size_t> allocate(std::size_t bytes) {
    if (bytes > capacity_) return std::nullopt;
    const std::size_t wanted = (bytes + granularity - 1) / granularity * granularity;
    std::size_t begin = 0;
    for (const auto& [offset, size] : taken_) {
      if (offset - begin >= wanted) break;
      begin = offset + size;
    }
    if (begin + wanted > capacity_) return std::nullopt;
    taken_.emplace(begin, wanted);
    return begin;
  }

  void free(std::size_t offset) { taken_.erase(offset); }

  /// The most bytes that one allocation can have now.
  std::size_t largest() const {
    std::size_t most = 0;
    std::size_t begin = 0;
    for (const auto& [offset, size] : taken_) {
      if (offset - begin > most) most = offset - begin;
      begin = offset + size;
    }
    return capacity_ - begin > most ? capacity_ - begin : most;
  }

 private:
  std::size_t capacity_;
  std::map<std::size_t, std::size_t> taken_;  // offset, size
};

}  // namespace airamp::pmpi
