// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host_group.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "pmpi/job/host_identity.hpp"
#include "pmpi/mpi/native.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

/// All of a communicator's memory, about; /dev/shm of a container often has 64 MiB in all.
constexpr std::size_t max_bytes = 8U << 20U;
constexpr std::size_t smallest_chunk = 16U << 10U;
constexpr std::size_t largest_chunk = 256U << 10U;
constexpr std::size_t page = 4096;

std::size_t chunk_for(int size) {
  const std::size_t share = max_bytes / (2 * static_cast<std::size_t>(size) + 2);
  return std::clamp(share / page * page, smallest_chunk, largest_chunk);
}

/// Whether all ranks do. Collective; returns an MPI error code.
int share_a_host(MPI_Comm comm, bool& on_one_host) {
  const std::uint64_t own = host_identity();
  std::array<std::uint64_t, 2> least = {own, ~own};
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_UINT64_T, MPI_MIN, comm);
  on_one_host = least[0] == ~least[1];
  return error;
}

}  // namespace

HostGroup::HostGroup(int rank, int size) : rank_(rank), size_(size), chunk_bytes_(chunk_for(size)) {}

int HostGroup::open(MPI_Comm comm, bool& opened) {
  if (const int error = meeting_.open(comm, rank_, size_, opened); error != MPI_SUCCESS || !opened) return error;
  const std::size_t chunks = 2 * static_cast<std::size_t>(size_) + 2;
  return segment_.open(
      comm, rank_, chunks * chunk_bytes_, [] { return true; }, opened);
}

bool HostGroup::meet() {
  meeting_.meet(0);
  if (!meeting_.has_failed()) return true;
  telemetry::log(config::LogLevel::error, "the process of another rank has ended during a collective");
  return false;
}

int HostGroup::create(MPI_Comm comm, int rank, int size, const gpu::Location& /*location*/,
                      std::unique_ptr<HostGroup>& group, std::string& why) {
  if (size > HostMeeting::max_ranks) {
    why = "more than " + std::to_string(HostMeeting::max_ranks) + " ranks";
    return MPI_SUCCESS;
  }
  bool on_one_host = false;
  if (const int error = share_a_host(comm, on_one_host); error != MPI_SUCCESS) return error;
  if (!on_one_host) {
    why = "its ranks are on several hosts";
    return MPI_SUCCESS;
  }
  std::unique_ptr<HostGroup> made(new HostGroup(rank, size));
  bool opened = false;
  const int error = made->open(comm, opened);
  if (error != MPI_SUCCESS) return error;
  if (opened) {
    group = std::move(made);
  } else {
    why = "the host has no shared memory for it";
  }
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
