// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpitests/committed_datatype.hpp"

namespace airamp::laws {

/// Byte `index` of what `rank` sends in a round.
inline std::byte byte_of(int rank, int round, std::size_t index) {
  return static_cast<std::byte>(static_cast<std::size_t>(rank * 31 + round * 7 + 1) + index * 13 + index / 251);
}

/// `bytes` bytes as rank `rank` describes them: plain bytes, or derived elements that are three of them.
class Description {
 public:
  Description(int rank, std::size_t bytes) : derived_(rank % 2 == 1 && bytes % 3 == 0), bytes_(bytes) {}

  MPI_Datatype type() const { return derived_ ? three_.get() : MPI_BYTE; }
  int count() const { return static_cast<int>(derived_ ? bytes_ / 3 : bytes_); }

 private:
  CommittedDatatype three_{[](MPI_Datatype* type) { MPI_Type_contiguous(3, MPI_BYTE, type); }};
  bool derived_;
  std::size_t bytes_;
};

}  // namespace airamp::laws
