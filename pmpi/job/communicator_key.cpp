// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/communicator_key.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/mpi/world_ranks.hpp"
#include "pola/signature.hpp"

namespace airamp::pmpi {
namespace {

/// So many ranks tell a group from others well enough: to find the place of each may cost a look at all processes.
constexpr int max_looked_at = 64;

/// How many communicators of the same members this rank has met.
struct MetCommunicators {
  std::mutex mutex;
  std::map<std::uint64_t, std::uint64_t> by_members;
};
constinit ProcessWide<MetCommunicators> met_communicators;

/// Of the ranks in MPI_COMM_WORLD, in order: of all of them, or of some, evenly spread. Throws std::bad_alloc.
std::uint64_t hash_of(MPI_Group group) {
  const int size = size_of(group);
  const int looked_at = std::min(size, max_looked_at);
  std::vector<int> members;
  for (std::int64_t i = 0; i < looked_at; ++i) members.push_back(static_cast<int>(i * size / looked_at));
  auto hash = static_cast<std::uint64_t>(size);
  for (const int rank : world_ranks(group, members)) hash = pola::mix(hash + static_cast<std::uint32_t>(rank));
  return hash;
}

/// May throw std::bad_alloc.
std::uint64_t hash_of_members(MPI_Comm comm, bool inter) {
  int size = 0;
  if (!inter && native().Comm_size(comm, &size) == MPI_SUCCESS && size == 1) {
    return pola::mix(static_cast<std::uint64_t>(job().rank) + 1);  // programs make such communicators by the thousand
  }
  Group local;
  Group remote;
  if (native().Comm_group(comm, &local.handle) != MPI_SUCCESS) return 0;
  std::uint64_t first = hash_of(local.handle);
  std::uint64_t second = 0;
  if (inter && native().Comm_remote_group(comm, &remote.handle) == MPI_SUCCESS) second = hash_of(remote.handle);
  if (first > second) std::swap(first, second);  // both sides are to find the same
  return pola::mix(first) + second;
}

}  // namespace

std::uint64_t members_of(MPI_Comm comm, bool inter) noexcept {
  try {
    return hash_of_members(comm, inter);
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

std::uint64_t communicator_key(MPI_Comm comm, bool inter) {
  const std::uint64_t members = members_of(comm, inter);
  auto& [mutex, met] = *met_communicators;
  const std::lock_guard lock(mutex);
  return std::max<std::uint64_t>(1, pola::mix(members + met[members]++));
}

}  // namespace airamp::pmpi
