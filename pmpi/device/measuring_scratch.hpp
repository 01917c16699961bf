// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/job/mapped_memory.hpp"

namespace airamp::pmpi {

/// Memory for one measured result. Empty if it is not affordable, or there is none to be had.
class MeasuringScratch {
 public:
  explicit MeasuringScratch(std::size_t bytes) : memory_(affordable(bytes) ? bytes : 0) {}

  std::byte* data() const { return memory_.data(); }

  /// Whether every rank of this host could take so much without bringing the host, or what limits the job on it, near
  /// its end: memory that is not there kills the application when it is written to, not when it is asked for. About a
  /// few pages the host is not asked: its answer takes some forty files, and longer than what is measured. Throws
  /// std::bad_alloc.
  static bool affordable(std::size_t bytes);

 private:
  MappedMemory memory_;
};

}  // namespace airamp::pmpi
