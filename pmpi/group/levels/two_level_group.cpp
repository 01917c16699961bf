// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/levels/two_level_group.hpp"

#include <new>

#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

Result<Made<std::unique_ptr<TwoLevelGroup>>> TwoLevelGroup::create(MPI_Comm comm, int rank, int size,
                                                                   const gpu::Location& location) {
  using MadeGroup = Made<std::unique_ptr<TwoLevelGroup>>;
  std::unique_ptr<TwoLevelGroup> made(new TwoLevelGroup);
  Result<std::string> why_not = find_grid_place(comm, rank, size, gpu::max_peers, made->place_);
  if (!why_not.ok()) return MpiError{why_not.error()};
  if (!why_not->empty()) return MadeGroup::not_made(*why_not);
  // with the order of the ranks on each host, and of the hosts on each rail
  int error = made->host_communicator_.create(comm, rank, made->place_.host);
  if (error != MPI_SUCCESS) return MpiError{error};
  error = made->rail_communicator_.create(comm, made->place_.host, made->place_.rank_on_host);
  if (error != MPI_SUCCESS) return MpiError{error};
  why_not = made->open(comm, location);
  if (!why_not.ok()) return MpiError{why_not.error()};
  if (!why_not->empty()) return MadeGroup::not_made(*why_not);
  return MadeGroup{.made = std::move(made), .why_not = {}};
}

/// Acquires what both levels need, on all ranks of `comm`. Why it has not; empty if it has.
Result<std::string> TwoLevelGroup::open(MPI_Comm comm, const gpu::Location& location) {
  Result<Made<std::shared_ptr<PeerGroup>>> peers =
      PeerGroup::find_or_create(host_communicator_.get(), place_.rank_on_host, place_.ranks_on_host, location);
  if (!peers.ok()) return MpiError{peers.error()};
  peers_ = std::move(peers->made);
  std::string trouble = std::move(peers->why_not);
  if (peers_ != nullptr) {
    try {
      rail_ = std::make_unique<Rail>(rail_communicator_.get(), place_.hosts, peers_->device());
    } catch (const std::bad_alloc&) {
      trouble = "no memory for messages between hosts";
    }
  }
  const Result<bool> all_opened = agree_on_success(comm, rail_ != nullptr);
  if (!all_opened.ok()) return MpiError{all_opened.error()};
  if (*all_opened) return std::string();
  return trouble.empty() ? std::string("no GPU peer memory, or no memory, on some host") : trouble;
}

bool may_be_two_level(int size) {
  for (int on_host = 2; on_host <= gpu::max_peers && 2 * on_host <= size; ++on_host) {
    if (size % on_host == 0) return true;
  }
  return false;
}

}  // namespace airamp::pmpi
