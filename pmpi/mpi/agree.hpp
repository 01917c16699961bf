// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Agreements on single facts, each inside a collective call of the application's on its communicator. Every function
/// is collective and costs one small allreduce.

/// Whether `ok` holds on all ranks.
Result<bool> agree_on_success(MPI_Comm comm, bool ok);

/// The least that a rank says.
Result<int> agree_on_least(MPI_Comm comm, int own);

/// Which of some numbers are the same on all ranks.
template <std::size_t count>
Result<std::array<bool, count>> agree_on_equality(MPI_Comm comm, const std::array<std::uint64_t, count>& own) {
  std::array<std::uint64_t, 2 * count> least{};
  for (std::size_t i = 0; i < count; ++i) {
    least[2 * i] = own[i];
    least[2 * i + 1] = ~own[i];  // which is least where the number is greatest
  }
  const int error =
      native().MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_UINT64_T, MPI_MIN, comm);
  if (error != MPI_SUCCESS) return MpiError{error};
  std::array<bool, count> equal{};
  for (std::size_t i = 0; i < count; ++i) equal[i] = least[2 * i] == ~least[2 * i + 1];
  return equal;
}

}  // namespace airamp::pmpi
