// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/datatype_span.hpp"

#include <algorithm>

#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/predefined_datatypes.hpp"

namespace airamp::pmpi {

std::ptrdiff_t extent_of(MPI_Datatype type) {
  const DatatypeInfo* const known = find_predefined_datatype(type);
  if (known != nullptr && known->packed) return static_cast<std::ptrdiff_t>(known->size);
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  if (type == MPI_DATATYPE_NULL) return 0;
  return native().Type_get_extent(type, &lower_bound, &extent) == MPI_SUCCESS ? extent : 0;
}

Span span_of(MPI_Datatype type, std::ptrdiff_t first, MPI_Count count) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_lower_bound = 0;
  MPI_Aint true_extent = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL) return {};
  if (native().Type_get_extent(type, &lower_bound, &extent) != MPI_SUCCESS) return {};
  if (native().Type_get_true_extent(type, &true_lower_bound, &true_extent) != MPI_SUCCESS) return {};
  const std::ptrdiff_t one_end = first * extent;
  const std::ptrdiff_t other_end = (first + static_cast<std::ptrdiff_t>(count) - 1) * extent;
  return {.begin = std::min(one_end, other_end) + true_lower_bound,
          .end = std::max(one_end, other_end) + true_lower_bound + true_extent};
}

Span join(const Span& a, const Span& b) noexcept {
  if (a.begin == a.end) return b;
  if (b.begin == b.end) return a;
  return {.begin = std::min(a.begin, b.begin), .end = std::max(a.end, b.end)};
}

}  // namespace airamp::pmpi
