// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/two_level_group.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "pmpi/job/host_identity.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

Result<Made<std::unique_ptr<TwoLevelGroup>>> TwoLevelGroup::create(MPI_Comm comm, int rank, int size,
                                                                   const gpu::Location& location) {
  using MadeGroup = Made<std::unique_ptr<TwoLevelGroup>>;
  std::unique_ptr<TwoLevelGroup> made(new TwoLevelGroup);
  Result<std::string> why_not = made->place(comm, rank, size);
  if (!why_not.ok()) return MpiError{why_not.error()};
  if (!why_not->empty()) return MadeGroup::not_made(*why_not);
  // with the order of the ranks on each host, and of the hosts on each rail
  int error = made->host_communicator_.create(comm, rank, made->host_);
  if (error != MPI_SUCCESS) return MpiError{error};
  error = made->rail_communicator_.create(comm, made->host_, made->rank_on_host_);
  if (error != MPI_SUCCESS) return MpiError{error};
  why_not = made->open(comm, location);
  if (!why_not.ok()) return MpiError{why_not.error()};
  if (!why_not->empty()) return MadeGroup::not_made(*why_not);
  return MadeGroup{.made = std::move(made), .why_not = {}};
}

/// Finds this rank's place in the grid. Why there is none, the same on all ranks; empty if there is.
Result<std::string> TwoLevelGroup::place(MPI_Comm comm, int rank, int size) {
  const std::uint64_t own = host_identity();
  std::vector<std::uint64_t> identities(static_cast<std::size_t>(size));
  const int error = native().MPI_Allgather(&own, 1, MPI_UINT64_T, identities.data(), 1, MPI_UINT64_T, comm);
  if (error != MPI_SUCCESS) return MpiError{error};
  std::vector<std::uint64_t> hosts;
  for (const std::uint64_t identity : identities) {
    if (std::find(hosts.begin(), hosts.end(), identity) == hosts.end()) hosts.push_back(identity);
  }
  const auto ranks_of = [&](std::uint64_t host) { return std::count(identities.begin(), identities.end(), host); };
  const auto ranks = ranks_of(own);
  const bool even = std::all_of(hosts.begin(), hosts.end(), [&](auto host) { return ranks_of(host) == ranks_of(own); });
  std::string why_not;
  if (hosts.size() < 2) {
    why_not = "its ranks are on one host";
  } else if (!even) {
    why_not = "its hosts have different numbers of its ranks";
  } else if (ranks < 2) {
    why_not = "it has one rank on each host";
  } else if (ranks > gpu::max_peers) {
    why_not = "it has too many ranks on each host";
  }
  host_ = static_cast<int>(std::find(hosts.begin(), hosts.end(), own) - hosts.begin());
  hosts_ = static_cast<int>(hosts.size());
  rank_on_host_ = static_cast<int>(std::count(identities.begin(), identities.begin() + rank, own));
  ranks_on_host_ = static_cast<int>(ranks);
  return why_not;
}

/// Acquires what both levels need, on all ranks of `comm`. Why it has not; empty if it has.
Result<std::string> TwoLevelGroup::open(MPI_Comm comm, const gpu::Location& location) {
  Result<Made<std::shared_ptr<PeerGroup>>> peers =
      PeerGroup::find_or_create(host_communicator_.get(), rank_on_host_, ranks_on_host_, location);
  if (!peers.ok()) return MpiError{peers.error()};
  peers_ = std::move(peers->made);
  std::string trouble = std::move(peers->why_not);
  if (peers_ != nullptr) {
    try {
      rail_ = std::make_unique<Rail>(rail_communicator_.get(), hosts_, peers_->device());
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
