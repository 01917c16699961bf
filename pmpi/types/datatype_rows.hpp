// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Rows of bytes at equal distances.
struct Rows {
  std::ptrdiff_t begin = 0;  ///< of the first row, relative to the buffer's address
  std::size_t bytes = 0;     ///< of one row
  std::size_t stride = 0;    ///< from the beginning of one row to that of the next
  std::size_t count = 0;
  bool operator==(const Rows&) const = default;
};

/// The bytes that `count` elements of `type` from element `first` on consist of: those that MPI writes when it receives
/// them, and no gap. Elements must not overlap. Throws std::bad_alloc. Thread-safe.
std::vector<Rows> rows_of(MPI_Datatype type, std::ptrdiff_t first, MPI_Count count);

/// Puts `more` behind `rows`.
inline void add_rows(std::vector<Rows>& rows, const std::vector<Rows>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
}

}  // namespace airamp::pmpi
