// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/kept_host_groups.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "pmpi/group/host/kept_by_members.hpp"
#include "pmpi/job/communicator_key.hpp"
#include "pmpi/job/host_identity.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/process_wide.hpp"

namespace airamp::pmpi {
namespace {

constinit ProcessWide<KeptByMembers<HostGroup>> kept;

/// Takes a group that nobody uses any more.
void keep(std::uint64_t members, std::unique_ptr<HostGroup> group) noexcept {
  if (!job().on || members == 0 || !group->goes_on() || !group->meeting().memory().half_is_free()) return;
  group->forget_starts();
  kept->keep(members, std::move(group));
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
  const std::uint64_t members = members_of(comm, false);
  std::unique_ptr<HostGroup> known = kept->take(members, rank);
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

void release_kept_host_groups() noexcept { kept->clear(); }

}  // namespace airamp::pmpi
