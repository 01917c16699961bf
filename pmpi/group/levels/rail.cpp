// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/levels/rail.hpp"

#include <algorithm>

#include "codec/lossless_reduce.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

/// What is on its way at a time.
constexpr std::size_t chunk_bytes = 4U << 20U;

/// A piece for each rank has at least one element of any type.
std::size_t staging_bytes(std::size_t ranks) { return std::max(chunk_bytes, ranks * sizeof(double)); }

}  // namespace

Rail::Rail(MPI_Comm comm, int ranks, GpuDevice& device)
    : comm_(comm),
      ranks_(static_cast<std::size_t>(ranks)),
      device_(device),
      staging_((staging_bytes(ranks_) + codec::wire_row_bytes - 1) / codec::wire_row_bytes, device),
      received_(staging_bytes(ranks_)),
      contributions_(ranks_) {
  int rank = 0;
  native().Comm_rank(comm, &rank);
  own_ = static_cast<std::size_t>(rank);
}

int Rail::allreduce(DataType type, ReduceOp op, std::byte* data, std::size_t elements, bool well) {
  const std::size_t element_bytes = size_of(type);
  const std::size_t most = staging_bytes(ranks_) / element_bytes / ranks_ * ranks_;
  for (std::size_t first = 0; first < elements; first += most) {
    const std::size_t chunk = std::min(most, elements - first);
    std::byte* const place = data + first * element_bytes;
    // who cannot copy goes on, since the others wait for him
    well = well && device_.copy(staging_.row(0), place, chunk * element_bytes);
    const int error = exchange(type, op, (chunk + ranks_ - 1) / ranks_);
    if (error != MPI_SUCCESS) return error;
    well = well && device_.copy(place, staging_.row(0), chunk * element_bytes);
  }
  return well ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int Rail::exchange(DataType type, ReduceOp op, std::size_t piece_elements) {
  const std::size_t bytes = piece_elements * size_of(type);
  const auto count = static_cast<int>(bytes);
  std::byte* const staging = staging_.row(0);
  const int error = native().MPI_Alltoall(staging, count, MPI_BYTE, received_.data(), count, MPI_BYTE, comm_);
  if (error != MPI_SUCCESS) return error;
  for (std::size_t rank = 0; rank < ranks_; ++rank) contributions_[rank] = received_.data() + rank * bytes;
  codec::reduce_lossless(type, op, contributions_.data(), ranks_, piece_elements, staging + own_ * bytes);
  return native().MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, staging, count, MPI_BYTE, comm_);
}

}  // namespace airamp::pmpi
