// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/two_level_group.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "pmpi/job/host_identity.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

int TwoLevelGroup::create(MPI_Comm comm, int rank, int size, const gpu::Location& location,
                          std::unique_ptr<TwoLevelGroup>& group, std::string& why) {
  std::unique_ptr<TwoLevelGroup> made(new TwoLevelGroup);
  int error = made->place(comm, rank, size, why);
  if (error != MPI_SUCCESS || !why.empty()) return error;
  // with the order of the ranks on each host, and of the hosts on each rail
  error = made->host_communicator_.create(comm, rank, made->host_);
  if (error != MPI_SUCCESS) return error;
  error = made->rail_communicator_.create(comm, made->host_, made->rank_on_host_);
  if (error != MPI_SUCCESS) return error;
  error = made->open(comm, location, why);
  if (error == MPI_SUCCESS && why.empty()) group = std::move(made);
  return error;
}

/// Finds this rank's place in the grid. `why` is the same on all ranks.
int TwoLevelGroup::place(MPI_Comm comm, int rank, int size, std::string& why) {
  const std::uint64_t own = host_identity();
  std::vector<std::uint64_t> identities(static_cast<std::size_t>(size));
  const int error = native().MPI_Allgather(&own, 1, MPI_UINT64_T, identities.data(), 1, MPI_UINT64_T, comm);
  if (error != MPI_SUCCESS) return error;
  std::vector<std::uint64_t> hosts;
  for (const std::uint64_t identity : identities) {
    if (std::find(hosts.begin(), hosts.end(), identity) == hosts.end()) hosts.push_back(identity);
  }
  const auto ranks_of = [&](std::uint64_t host) { return std::count(identities.begin(), identities.end(), host); };
  const auto ranks = ranks_of(own);
  const bool even = std::all_of(hosts.begin(), hosts.end(), [&](auto host) { return ranks_of(host) == ranks_of(own); });
  if (hosts.size() < 2) {
    why = "its ranks are on one host";
  } else if (!even) {
    why = "its hosts have different numbers of its ranks";
  } else if (ranks < 2) {
    why = "it has one rank on each host";
  } else if (ranks > gpu::max_peers) {
    why = "it has too many ranks on each host";
  }
  host_ = static_cast<int>(std::find(hosts.begin(), hosts.end(), own) - hosts.begin());
  hosts_ = static_cast<int>(hosts.size());
  rank_on_host_ = static_cast<int>(std::count(identities.begin(), identities.begin() + rank, own));
  ranks_on_host_ = static_cast<int>(ranks);
  return MPI_SUCCESS;
}

/// Acquires what both levels need, on all ranks of `comm`, or says why not.
int TwoLevelGroup::open(MPI_Comm comm, const gpu::Location& location, std::string& why) {
  std::string trouble;
  const int error =
      PeerGroup::find_or_create(host_communicator_.get(), rank_on_host_, ranks_on_host_, location, peers_, trouble);
  if (error != MPI_SUCCESS) return error;
  if (peers_ != nullptr) {
    try {
      rail_ = std::make_unique<Rail>(rail_communicator_.get(), hosts_, peers_->device());
    } catch (const std::bad_alloc&) {
      trouble = "no memory for messages between hosts";
    }
  }
  const Result<bool> all_opened = agree_on_success(comm, rail_ != nullptr);
  if (!all_opened.ok()) return all_opened.error();
  if (!*all_opened) why = trouble.empty() ? "no GPU peer memory, or no memory, on some host" : trouble;
  return MPI_SUCCESS;
}

bool may_be_two_level(int size) {
  for (int on_host = 2; on_host <= gpu::max_peers && 2 * on_host <= size; ++on_host) {
    if (size % on_host == 0) return true;
  }
  return false;
}

}  // namespace airamp::pmpi
