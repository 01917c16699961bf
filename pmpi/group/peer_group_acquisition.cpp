// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What the ranks of a PeerGroup acquire together, or none of them.
#include <algorithm>
#include <array>
#include <limits>
#include <mutex>

#include "pmpi/group/peer_group.hpp"
#include "pmpi/group/peer_regions.hpp"
#include "pmpi/job/host_identity.hpp"
#include "pmpi/job/process_identity.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/thread_level.hpp"

namespace airamp::pmpi {
namespace {

/// What each rank tells the others when a group is made.
struct Card {
  std::uint64_t able;  // 1: has a device with scratch memory
  std::uint64_t identity;
  std::uint64_t small_offset;
  std::uint64_t state_offset;
  std::uint64_t multiprocessors;
  gpu::GpuIdentity gpu;
  gpu::ExportedMemory scratch;
};

/// The groups of this process that live.
struct Registry {
  std::mutex mutex;
  std::vector<std::weak_ptr<PeerGroup>> groups;
  std::uint64_t made = 0;
};

/// Never destroyed: exit handlers of the application may still call MPI.
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

int gather(MPI_Comm comm, const void* own, std::size_t bytes, void* all) {
  const int count = static_cast<int>(bytes);
  return native().MPI_Allgather(own, count, MPI_BYTE, all, count, MPI_BYTE, comm);
}

int minimum(MPI_Comm comm, std::uint64_t& value) {
  return native().MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, comm);
}

/// How many multiprocessors each rank can have so that the kernels of all ranks have room at once.
int multiprocessors_for_each(const std::vector<Card>& cards) {
  std::uint64_t fewest = std::numeric_limits<int>::max();
  for (const Card& card : cards) {
    const auto ranks = std::count_if(cards.begin(), cards.end(), [&](const Card& c) { return c.gpu == card.gpu; });
    fewest = std::min(fewest, card.multiprocessors / static_cast<std::uint64_t>(ranks));
  }
  return static_cast<int>(std::max<std::uint64_t>(fewest, 1));
}

}  // namespace

Result<Made<std::shared_ptr<PeerGroup>>> PeerGroup::find_or_create(MPI_Comm comm, int rank, int size,
                                                                   const gpu::Location& location) {
  using MadeGroup = Made<std::shared_ptr<PeerGroup>>;
  std::shared_ptr<PeerGroup> group;
  std::string why;
  const Member own{.host = host_identity(),
                   .process = process_identity(),
                   .threads = several_threads_call_mpi() ? std::uint64_t{1} : 0};
  std::vector<Member> members(static_cast<std::size_t>(size));
  if (const int error = gather(comm, &own, sizeof own, members.data()); error != MPI_SUCCESS) return MpiError{error};
  bool threads = false;
  for (const Member& member : members) {
    if (member.host != members.front().host) why = "its ranks are on several hosts";
    threads = threads || member.threads == 1;
  }
  if (!why.empty()) return MadeGroup::not_made(why);  // the same on all ranks: all heard the same
  if (!threads) {
    if (const int error = find(comm, members, location, group); error != MPI_SUCCESS) return MpiError{error};
    if (group) return MadeGroup{.made = std::move(group), .why_not = {}};
  }
  if (const int error = create(comm, rank, size, location, group, why); error != MPI_SUCCESS) return MpiError{error};
  if (!group) return MadeGroup::not_made(why);
  group->members_ = std::move(members);
  const std::lock_guard lock(registry().mutex);
  std::erase_if(registry().groups, [](const auto& known) { return known.expired(); });
  registry().groups.push_back(group);
  return MadeGroup{.made = std::move(group), .why_not = {}};
}

int PeerGroup::find(MPI_Comm comm, const std::vector<Member>& members, const gpu::Location& location,
                    std::shared_ptr<PeerGroup>& group) {
  {
    const std::lock_guard lock(registry().mutex);
    for (const auto& known : registry().groups) {
      const std::shared_ptr<PeerGroup> live = known.lock();
      if (live && live->members_ == members && live->location() == location && !live->broken_ &&
          live->device_.is_alive())
        group = live;
    }
  }
  // one rank may have freed a communicator whose group another still has
  const auto is_equal = agree_on_equality(comm, std::array{group ? group->identity_ : 0});
  if (is_equal.ok() && !is_equal->front()) group.reset();
  return is_equal.error();
}

int PeerGroup::create(MPI_Comm comm, int rank, int size, const gpu::Location& location,
                      std::shared_ptr<PeerGroup>& group, std::string& why) {
  GpuDevice* device = gpu_device(location);
  Card own{};
  std::shared_ptr<PeerGroup> made;
  auto state = device != nullptr ? device->launch_state() : nullptr;
  const auto offset = state != nullptr ? device->allocate(small_region_bytes) : std::optional<std::size_t>();
  if (offset) {
    own.able = 1;
    own.small_offset = *offset;
    own.state_offset = state->offset();
    own.multiprocessors = static_cast<std::uint64_t>(device->backend().multiprocessors(device->handle()));
    own.gpu = device->backend().identity(device->handle());
    own.scratch = device->exported_scratch();
    made.reset(new PeerGroup(*device, rank, size));
    made->state_ = std::move(state);
    made->small_ = std::make_unique<PeerRegion>(*device, *offset, small_region_bytes);
    const std::lock_guard lock(registry().mutex);
    own.identity = process_identity() + ++registry().made;
  }
  std::vector<Card> cards(static_cast<std::size_t>(size));
  if (const int error = gather(comm, &own, sizeof own, cards.data()); error != MPI_SUCCESS) return error;
  for (const Card& card : cards) {
    if (card.able == 0) why = "some rank's GPU has no plugin or no scratch memory for it";
  }
  if (!why.empty()) return MPI_SUCCESS;
  made->identity_ = cards.front().identity;
  made->multiprocessors_ = multiprocessors_for_each(cards);

  std::uint64_t reached = 1;
  gpu::LaunchStatePlaces states{
      .of = {}, .size = size, .rank = rank, .number = static_cast<std::uint32_t>(made->identity_)};
  for (int peer = 0; peer < size; ++peer) {
    const Card& card = cards[static_cast<std::size_t>(peer)];
    std::byte* base = peer == rank ? device->scratch() : device->map(card.scratch);
    if (base == nullptr) reached = 0;
    made->scratch_[static_cast<std::size_t>(peer)] = base;
    if (base == nullptr) continue;
    made->small_->base[static_cast<std::size_t>(peer)] = base + card.small_offset;
    states.of[static_cast<std::size_t>(peer)] = base + card.state_offset;
  }
  gpu::Error error;
  if (reached == 1) made->queue_ = device->backend().open_peer_queue(device->handle(), states, error);
  if (made->queue_ == nullptr) reached = 0;
  if (const int failure = minimum(comm, reached); failure != MPI_SUCCESS) return failure;
  const Result<bool> met = reached == 1 ? made->meeting_.open({comm, rank}, rank, size) : Result<bool>(false);
  if (!met.ok()) return met.error();
  if (reached == 0) why = "some rank's GPU cannot reach another's memory";
  if (reached == 1 && !*met) why = "its ranks share no memory on the host";
  if (why.empty()) group = std::move(made);
  return MPI_SUCCESS;
}

PeerGroup::~PeerGroup() {
  if (queue_ != nullptr) device_.close_queue(queue_);
  if (broken_ || spoilt_ != nullptr) {  // kernels may still be writing there
    static_cast<void>(small_.release());
    static_cast<void>(large_.release());
    static_cast<void>(state_.release());
  }
}

int PeerGroup::acquire_region(MPI_Comm comm, std::uint64_t message_bytes) {
  if (message_bytes <= small_message_bytes || large_tried_) return MPI_SUCCESS;
  large_tried_ = true;
  // the last small region's worth is left to other communicators
  const std::size_t free = device_.largest_part();
  const std::uint64_t bytes = std::min(largest_region_bytes, free > small_region_bytes ? free - small_region_bytes : 0);
  Result<std::unique_ptr<PeerRegion>> part = acquire_part(comm, bytes, gpu::smallest_two_shot_region_bytes(size_));
  if (part.ok()) large_ = std::move(*part);
  return part.error();
}

Result<std::unique_ptr<PeerRegion>> PeerGroup::acquire_part(MPI_Comm comm, std::uint64_t bytes, std::uint64_t least) {
  bytes = std::min<std::uint64_t>(bytes, device_.largest_part());
  if (const int error = minimum(comm, bytes); error != MPI_SUCCESS) return MpiError{error};
  bytes = bytes / OffsetAllocator::granularity * OffsetAllocator::granularity;
  if (bytes < least) return std::unique_ptr<PeerRegion>();
  const auto offset = device_.allocate(bytes);
  std::uint64_t allocated = offset ? 1 : 0;  // another thread may have been quicker
  auto region = offset ? std::make_unique<PeerRegion>(device_, *offset, bytes) : nullptr;
  if (const int error = minimum(comm, allocated); error != MPI_SUCCESS) return MpiError{error};
  if (allocated == 0) return std::unique_ptr<PeerRegion>();
  if (const int error = exchange_offsets(comm, *region); error != MPI_SUCCESS) return MpiError{error};
  return region;
}

int PeerGroup::exchange_offsets(MPI_Comm comm, PeerRegion& region) {
  const std::uint64_t own = region.own_offset();
  std::array<std::uint64_t, gpu::max_peers> offsets{};
  const int error = gather(comm, &own, sizeof own, offsets.data());
  for (std::size_t peer = 0; peer < static_cast<std::size_t>(size_); ++peer) {
    region.base[peer] = scratch_[peer] + offsets[peer];
  }
  return error;
}

}  // namespace airamp::pmpi
