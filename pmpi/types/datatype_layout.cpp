// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/datatype_layout.hpp"

#include "pmpi/mpi/native.hpp"
#include "pmpi/types/predefined_datatypes.hpp"

namespace airamp::pmpi {
namespace {

/// How a datatype was constructed. A type from a constructor for large counts can be asked by the functions for large
/// counts alone: to ask by the others is an error of the application's.
struct Envelope {
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count large_counts = 0;
  MPI_Count datatypes = 0;
  int combiner = MPI_COMBINER_NAMED;

  bool is_predefined() const {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
  }

  /// Whether it is a run of elements of one other type.
  bool is_run() const {
    return (combiner == MPI_COMBINER_CONTIGUOUS || combiner == MPI_COMBINER_DUP) && datatypes == 1 && addresses == 0 &&
           integers + large_counts <= 1;
  }
};

bool ask(MPI_Datatype type, Envelope& envelope) noexcept {
  Envelope& e = envelope;
  if (native().Type_get_envelope_c != nullptr) {
    return native().Type_get_envelope_c(type, &e.integers, &e.addresses, &e.large_counts, &e.datatypes, &e.combiner) ==
           MPI_SUCCESS;
  }
  int integers = 0;
  int addresses = 0;
  int datatypes = 0;
  if (native().Type_get_envelope(type, &integers, &addresses, &datatypes, &e.combiner) != MPI_SUCCESS) return false;
  e.integers = integers;
  e.addresses = addresses;
  e.datatypes = datatypes;
  return true;
}

/// The type that a run consists of.
bool ask_inner(MPI_Datatype run, const Envelope& envelope, MPI_Datatype& inner) noexcept {
  int count = 0;
  MPI_Aint unused = 0;
  MPI_Count large_count = 0;
  if (native().Type_get_contents_c != nullptr) {
    return native().Type_get_contents_c(run, envelope.integers, 0, envelope.large_counts, 1, &count, &unused,
                                        &large_count, &inner) == MPI_SUCCESS;
  }
  return native().Type_get_contents(run, static_cast<int>(envelope.integers), 0, 1, &count, &unused, &inner) ==
         MPI_SUCCESS;
}

/// Its elements, one after the other, have no holes between them.
bool is_dense(MPI_Datatype type) noexcept {
  MPI_Count size = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  return native().Type_size_x(type, &size) == MPI_SUCCESS && size > 0 &&
         native().Type_get_extent(type, &lower_bound, &extent) == MPI_SUCCESS && lower_bound == 0 && extent == size;
}

}  // namespace

bool is_predefined_type(MPI_Datatype type) noexcept {
  Envelope envelope;
  return find_predefined_datatype(type) != nullptr || (ask(type, envelope) && envelope.is_predefined());
}

bool is_packed(MPI_Datatype type) noexcept {
  if (const DatatypeInfo* predefined = find_predefined_datatype(type)) return predefined->packed;
  Envelope envelope;
  if (!is_dense(type) || !ask(type, envelope)) return false;
  if (envelope.is_predefined()) return true;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  if (!envelope.is_run() || !ask_inner(type, envelope, inner)) return false;
  const bool packed = is_packed(inner);
  if (!is_predefined_type(inner)) native().Type_free(&inner);
  return packed;
}

}  // namespace airamp::pmpi
