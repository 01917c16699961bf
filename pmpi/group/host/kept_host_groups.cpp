// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/kept_host_groups.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "pmpi/job/communicator_key.hpp"
#include "pmpi/job/host_identity.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/process_wide.hpp"

namespace airamp::pmpi {
namespace {

/// A program has few kinds of communicators that it makes again and again.
constexpr std::size_t most_kept = 16;
/// Of shared memory, by what this rank's part of each group is. About five that carry long vectors.
constexpr std::size_t most_bytes = 2U << 20U;

struct KeptGroup {
  std::uint64_t members;
  std::unique_ptr<HostGroup> group;
};

/// Those of this process, the latest first.
struct KeptGroups {
  std::mutex mutex;
  std::list<KeptGroup> groups;
};
constinit ProcessWide<KeptGroups> kept;

/// This rank's part of its memory, in bytes.
std::size_t part_of(const HostGroup& group) { return group.shared_bytes() / static_cast<std::size_t>(group.size()); }

/// The first group of a list that has to go for the others, and all behind it.
std::list<KeptGroup>::iterator first_beyond(std::list<KeptGroup>& groups) {
  std::size_t left = most_kept;
  std::size_t bytes = 0;
  return std::find_if(groups.begin(), groups.end(), [&](const KeptGroup& known) {
    bytes += part_of(*known.group);
    return left-- == 0 || bytes > most_bytes;
  });
}

/// Takes a group that nobody uses any more.
void keep(std::uint64_t members, std::unique_ptr<HostGroup> group) noexcept {
  if (!job().on || members == 0 || !group->goes_on() || !group->meeting().memory().half_is_free()) return;
  group->forget_starts();
  std::list<KeptGroup> beyond;  // to be destroyed without the lock
  try {
    std::list<KeptGroup> latest;
    latest.push_back({.members = members, .group = std::move(group)});
    auto& [mutex, groups] = *kept;
    const std::lock_guard lock(mutex);
    groups.splice(groups.begin(), latest);
    beyond.splice(beyond.begin(), groups, first_beyond(groups), groups.end());
  } catch (const std::bad_alloc&) {  // it is not kept
  }
}

/// The latest of these members in which this rank has that number; nullptr if there is none. It is not kept any more.
/// (Of more than 64 ranks `members` does not tell all orders apart. If they are in another one, some rank has another
/// number.)
std::unique_ptr<HostGroup> take(std::uint64_t members, int rank) noexcept {
  auto& [mutex, groups] = *kept;
  const std::lock_guard lock(mutex);
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const KeptGroup& known) {
    return known.members == members && known.group->rank() == rank;
  });
  if (found == groups.end()) return nullptr;
  std::unique_ptr<HostGroup> group = std::move(found->group);
  groups.erase(found);
  return group;
}

/// 0 if they are not known.
std::uint64_t known_members(MPI_Comm comm) noexcept {
  try {
    return members_of(comm, false);
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

std::shared_ptr<HostGroup> shared(std::unique_ptr<HostGroup> group, std::uint64_t members) {
  return {group.release(), [members](HostGroup* unused) { keep(members, std::unique_ptr<HostGroup>(unused)); }};
}

}  // namespace

Result<Made<std::shared_ptr<HostGroup>>> find_or_create_host_group(MPI_Comm comm, int rank, int size,
                                                                   const gpu::Location& /*location*/) {
  using MadeGroup = Made<std::shared_ptr<HostGroup>>;
  if (size > HostMeeting::max_ranks) {
    return MadeGroup::not_made("more than " + std::to_string(HostMeeting::max_ranks) + " ranks");
  }
  const std::uint64_t members = known_members(comm);
  std::unique_ptr<HostGroup> known = take(members, rank);
  const auto equal = agree_on_equality(comm, std::array{host_identity(), known != nullptr ? known->digest() : 0});
  if (!equal.ok()) return MpiError{equal.error()};
  const auto [on_one_host, all_know_it] = *equal;
  if (!on_one_host) return MadeGroup::not_made("its ranks are on several hosts");
  if (known != nullptr && all_know_it) return MadeGroup{.made = shared(std::move(known), members), .why_not = {}};
  known.reset();
  Result<Made<std::unique_ptr<HostGroup>>> created = HostGroup::create({comm, rank}, rank, size);
  if (!created.ok()) return MpiError{created.error()};
  if (created->made == nullptr) return MadeGroup::not_made(created->why_not);
  return MadeGroup{.made = shared(std::move(created->made), members), .why_not = {}};
}

void release_kept_host_groups() noexcept {
  auto& [mutex, groups] = *kept;
  const std::lock_guard lock(mutex);
  groups.clear();
}

}  // namespace airamp::pmpi
