// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "pmpi/group/levels/grid_place.hpp"
#include "pmpi/group/levels/rail.hpp"
#include "pmpi/group/made.hpp"
#include "pmpi/group/peer_group.hpp"
#include "pmpi/mpi/private_communicator.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Whether so many ranks can be several on each of several hosts, as many on each, with a place in a peer group.
bool may_be_two_level(int size);

/// The ranks of a communicator on several hosts, as many on each, as a grid: those of one host, whose GPUs reach each
/// other, and those of the same place on every host, a rail. Used by one thread at a time.
class TwoLevelGroup {
 public:
  /// Collective over `comm`. `location`: of this rank's buffer. Empty unless all ranks could. Throws
  /// std::bad_alloc.
  static Result<Made<std::unique_ptr<TwoLevelGroup>>> create(MPI_Comm comm, int rank, int size,
                                                             const gpu::Location& location);

  PeerGroup& peers() { return *peers_; }
  MPI_Comm host_communicator() const { return host_communicator_.get(); }
  const PrivateCommunicator& rail_communicator() const { return rail_communicator_; }
  Rail& rail() { return *rail_; }
  const gpu::Location& location() const { return peers_->location(); }

  int host() const { return place_.host; }  ///< this rank's, among `hosts`: its rank on the rail
  int hosts() const { return place_.hosts; }
  int rank_on_host() const { return place_.rank_on_host; }
  int ranks_on_host() const { return place_.ranks_on_host; }

  /// Whether something has failed on this rank: it takes part no more.
  bool broken() const { return broken_; }
  void break_off() { broken_ = true; }

  /// Local: whoever waits in them for another rank gets an error.
  void revoke() {
    host_communicator_.revoke();
    rail_communicator_.revoke();
  }

 private:
  TwoLevelGroup() = default;
  Result<std::string> open(MPI_Comm comm, const gpu::Location& location);

  GridPlace place_;
  bool broken_ = false;
  PrivateCommunicator host_communicator_;
  PrivateCommunicator rail_communicator_;
  std::shared_ptr<PeerGroup> peers_;
  std::unique_ptr<Rail> rail_;
};

}  // namespace airamp::pmpi
