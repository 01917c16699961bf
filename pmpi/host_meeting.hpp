// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "gpu/peer/collective.hpp"
#include "pmpi/mpi.hpp"
#include "pmpi/mpi_progress.hpp"

namespace airamp::pmpi {

/// The ranks of a communicator, all on one host, meet in shared memory: each says a word and hears the others'. A
/// meeting is an agreement (DESIGN, law 1) for less than a microsecond, and a barrier with release and acquire order:
/// what a rank has seen to be complete before it, no rank finds incomplete after it.
///
/// Who waits here keeps the MPI library going: a rank that is late may still need our side to complete a message.
/// Used by one thread at a time, as MPI demands of the collectives of one communicator.
class HostMeeting {
 public:
  /// What each rank said, by rank.
  using Words = std::array<std::uint64_t, gpu::most_peers>;

  HostMeeting() = default;
  ~HostMeeting() { close(); }
  HostMeeting(const HostMeeting&) = delete;
  HostMeeting& operator=(const HostMeeting&) = delete;

  /// Collective over `comm`, at most gpu::most_peers ranks. Whether this rank is in; an MPI error code if MPI failed.
  int open(MPI_Comm comm, int rank, int size, bool& opened);

  /// Collective. The latest a rank returns is a while after the last has come.
  Words meet(std::uint64_t word) noexcept;

  /// Tells the others that this rank cannot do what was agreed, so that they do not wait for it; and whether one did.
  void give_up() noexcept;
  bool given_up() const noexcept;

 private:
  struct Shared;
  void close() noexcept;

  Shared* shared_ = nullptr;
  MpiProgress progress_;
  int rank_ = 0;
  int size_ = 0;
  std::uint64_t meetings_ = 0;
};

}  // namespace airamp::pmpi
