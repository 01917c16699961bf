// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "pmpi/device/codec_queues.hpp"
#include "pmpi/device/wire_scratch.hpp"
#include "pmpi/group/ccl_group.hpp"
#include "pmpi/group/host/host_group.hpp"
#include "pmpi/group/host/unhurried_meeting.hpp"
#include "pmpi/group/levels/host_grid.hpp"
#include "pmpi/group/levels/two_level_group.hpp"
#include "pmpi/group/peer_group.hpp"
#include "pmpi/mpi/private_communicator.hpp"

namespace airamp::pmpi {

class PeerStarts;

/// What all ranks of a communicator make together on first need, or find that they cannot have.
template <class Pointer>
struct MadeOnce {
  Pointer made;  ///< empty: not tried yet, or not to be had
  bool tried = false;
  std::string why_not;

  void forget() { *this = MadeOnce(); }
};

/// What the algorithms on one communicator share; they refer to it, and so end before it.
struct CommunicatorResources {
  /// Where there are communicators of ours: a number that all ranks share and that no other has. Freeing them is
  /// collective, so that ranks that free several do so in the order of these.
  std::uint64_t order_of_release = 0;

  PrivateCommunicator private_communicator;  ///< empty where all messages of the job share a communicator
  std::weak_ptr<WireScratch> scratch;        ///< where communicators do not share theirs
  MadeOnce<std::shared_ptr<PeerGroup>> peers;
  MadeOnce<std::shared_ptr<PeerStarts>> peer_starts;  ///< for those that have the former
  std::unique_ptr<CodecQueues> codec_queues;
  MadeOnce<std::unique_ptr<CclGroup>> ccl;
  MadeOnce<std::unique_ptr<TwoLevelGroup>> two_level;
  MadeOnce<std::shared_ptr<HostGroup>> host;
  MadeOnce<std::unique_ptr<HostGrid>> host_grid;
  std::optional<int> contributions_tag;  ///< agreed: of messages in place of contributions, whatever their length
  UnhurriedMeeting unhurried;            ///< until one of these groups has a meeting

  /// Where the ranks can agree in shared memory; nullptr if they must do so by messages.
  HostMeeting* meeting() const {
    if (peers.made != nullptr) return &peers.made->meeting();
    if (host.made != nullptr) return &host.made->meeting();
    return unhurried.meeting();
  }

  /// The same where they do so in the memory of their host, not beside that of their GPUs; else nullptr.
  HostMeeting* host_meeting() const {
    return host.made != nullptr && peers.made == nullptr ? &host.made->meeting() : nullptr;
  }

  /// Where roots leave short broadcasts; nullptr where they do not. The same on all ranks between two collectives.
  BroadcastRing* broadcasts() const { return host.made != nullptr ? host.made->broadcasts() : nullptr; }

  /// The same of short contributions for a root.
  ContributionRing* contributions() const { return host.made != nullptr ? host.made->contributions() : nullptr; }

  /// Whoever waits for another rank, on our communicators beside the application's or in the memory of their host, gets
  /// an error. Not who waits for GPUs: other communicators of the same ranks share their group. Local.
  void revoke() {
    private_communicator.revoke();
    if (two_level.made != nullptr) two_level.made->revoke();
    revoke_meetings();
  }

  /// Of those who wait in the memory of their host alone.
  void revoke_meetings() const {
    if (host.made != nullptr) host.made->meeting().revoke();
    if (host_grid.made != nullptr) host_grid.made->host().meeting().revoke();
    if (unhurried.meeting() != nullptr) unhurried.meeting()->revoke();
  }

  /// Why the ranks can meet no more, as an MPI error class; MPI_SUCCESS if they can. Local.
  int meeting_failure() const {
    int failure = peers.made != nullptr ? peers.made->meeting().failure() : MPI_SUCCESS;
    if (failure == MPI_SUCCESS && host.made != nullptr) failure = host.made->meeting().failure();
    if (failure == MPI_SUCCESS && host_grid.made != nullptr) failure = host_grid.made->host().meeting().failure();
    if (failure == MPI_SUCCESS && unhurried.meeting() != nullptr) failure = unhurried.meeting()->failure();
    return failure;
  }

  /// Whether the application has reset a GPU on which this rank holds something for the communicator. Local.
  bool has_lost_gpu() const {
    const GpuDevice* const device = gpu();
    return device != nullptr && !device->is_alive();
  }

  /// Forgets what is held on GPUs; it can be made again. Local.
  void forget_gpus() {
    ccl.forget();
    codec_queues.reset();
    two_level.forget();
    peer_starts.forget();
    peers.forget();
  }

 private:
  /// Of one of what may be held on a GPU; nullptr if there is none.
  const GpuDevice* gpu() const {
    if (peers.made != nullptr) return &peers.made->device();
    if (two_level.made != nullptr) return &two_level.made->peers().device();
    if (codec_queues != nullptr) return &codec_queues->device();
    return ccl.made != nullptr ? &ccl.made->device() : nullptr;
  }
};

}  // namespace airamp::pmpi
