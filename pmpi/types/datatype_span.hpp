// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// The bytes of memory that elements of a datatype lie in, gaps included, relative to the buffer's address.
struct Span {
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;
};

/// By how many bytes of memory two elements of `type` that follow each other lie apart. Fast for predefined types
/// without holes.
std::ptrdiff_t extent_of(MPI_Datatype type);

/// Where `count` elements of `type` from element `first` on lie. Empty if there are none.
Span span_of(MPI_Datatype type, std::ptrdiff_t first, MPI_Count count);

/// The smallest span that holds both; an empty one holds nothing.
Span join(const Span& a, const Span& b) noexcept;

}  // namespace airamp::pmpi
