// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>

#include "mpitests/committed_datatype.hpp"

namespace airamp::laws {

/// What a byte is that nobody has sent.
inline constexpr std::byte untouched{0xa5};

/// The lengths of data that go from or to one root: none, with derived elements, and around where they go otherwise.
inline constexpr std::array<std::size_t, 9> rooted_lengths = {0, 1, 3, 4095, 4096, 4097, 262144, 262145, 600003};

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
