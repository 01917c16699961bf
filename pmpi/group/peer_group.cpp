// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/peer_group.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "pmpi/device/queue_wait.hpp"
#include "pmpi/group/peer_regions.hpp"
#include "pmpi/job/host_identity.hpp"
#include "pmpi/job/process_identity.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "pmpi/mpi/thread_level.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

/// What each rank tells the others when a group is made.
struct Card {
  std::uint64_t able;  // 1: has a device with scratch memory
  std::uint64_t identity;
  std::uint64_t small_offset;
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

/// What a kernel may take to start on a GPU that has room for it.
constexpr double usual_patience = 30e-6;
constexpr double longest_patience = 10e-3;
/// Where nobody knows what the native call takes.
constexpr double patience_without_measurement = 100e-3;
/// Of a vector, by which kernels over peer memory take longer: a part of what NVLink moves.
constexpr double slow_bytes_per_second = 100e9;

std::uint64_t collective_bytes(const gpu::PeerCollective& collective) {
  std::uint64_t elements = collective.elements;
  if (collective.pattern == gpu::Pattern::allgather) {
    elements = 0;
    for (const gpu::Block& block : collective.blocks) elements += block.elements;
  }
  if (collective.pattern == gpu::Pattern::alltoallv) elements *= static_cast<std::uint64_t>(collective.size);
  return elements * size_of(collective.type);
}

/// For waiting warps to see that they are to leave.
constexpr double longest_leave = 2;
/// What a launch that was called off may take to end once nothing comes before it.
constexpr double longest_end = 1e-3;
/// After a launch that had to wait for the application's default stream.
constexpr int calls_that_wait = 64;

double bounded(double patience) {
  if (std::isinf(patience)) return patience;
  return std::isnan(patience) ? patience_without_measurement : std::clamp(patience, usual_patience, longest_patience);
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
  std::uint64_t smallest = group ? group->identity_ : 0;
  std::uint64_t opposite_of_largest = ~smallest;
  if (const int error = minimum(comm, smallest); error != MPI_SUCCESS) return error;
  if (const int error = minimum(comm, opposite_of_largest); error != MPI_SUCCESS) return error;
  if (smallest == 0 || smallest != ~opposite_of_largest) group.reset();
  return MPI_SUCCESS;
}

int PeerGroup::create(MPI_Comm comm, int rank, int size, const gpu::Location& location,
                      std::shared_ptr<PeerGroup>& group, std::string& why) {
  GpuDevice* device = gpu_device(location);
  Card own{};
  std::shared_ptr<PeerGroup> made;
  const auto offset = device != nullptr ? device->allocate(small_region_bytes) : std::optional<std::size_t>();
  if (offset) {
    own.able = 1;
    own.small_offset = *offset;
    own.multiprocessors = static_cast<std::uint64_t>(device->backend().multiprocessors(device->handle()));
    own.gpu = device->backend().identity(device->handle());
    own.scratch = device->exported_scratch();
    made.reset(new PeerGroup(*device, rank, size));
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

  gpu::Error error;
  made->queue_ = device->backend().open_queue(device->handle(), error);
  std::uint64_t reached = made->queue_ != nullptr ? 1 : 0;
  for (int peer = 0; peer < size; ++peer) {
    const Card& card = cards[static_cast<std::size_t>(peer)];
    std::byte* base = peer == rank ? device->scratch() : device->map(card.scratch);
    if (base == nullptr) reached = 0;
    made->scratch_[static_cast<std::size_t>(peer)] = base;
    made->small_->base[static_cast<std::size_t>(peer)] = base == nullptr ? nullptr : base + card.small_offset;
  }
  if (const int failure = minimum(comm, reached); failure != MPI_SUCCESS) return failure;
  const Result<bool> met = reached == 1 ? made->meeting_.open(comm, rank, size) : Result<bool>(false);
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
  }
}

const PeerRegion* PeerGroup::region(std::uint64_t message_bytes) const {
  return message_bytes <= small_message_bytes ? small_.get() : large_.get();
}

int PeerGroup::acquire_region(MPI_Comm comm, std::uint64_t message_bytes) {
  if (message_bytes <= small_message_bytes || large_tried_) return MPI_SUCCESS;
  large_tried_ = true;
  // the last small region's worth is left to other communicators
  const std::size_t free = device_.largest_part();
  std::uint64_t bytes = std::min(largest_region_bytes, free > small_region_bytes ? free - small_region_bytes : 0);
  if (const int error = minimum(comm, bytes); error != MPI_SUCCESS) return error;
  bytes = bytes / OffsetAllocator::granularity * OffsetAllocator::granularity;
  if (bytes < gpu::smallest_two_shot_region_bytes(size_)) return MPI_SUCCESS;
  const auto offset = device_.allocate(bytes);
  std::uint64_t allocated = offset ? 1 : 0;  // another thread may have been quicker
  auto region = offset ? std::make_unique<PeerRegion>(device_, *offset, bytes) : nullptr;
  if (const int error = minimum(comm, allocated); error != MPI_SUCCESS) return error;
  if (allocated == 0) return MPI_SUCCESS;
  if (const int error = exchange_offsets(comm, *region); error != MPI_SUCCESS) return error;
  large_ = std::move(region);
  return MPI_SUCCESS;
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

void PeerGroup::wait_for_application() {
  if (waits_left_ == 0) return;
  gpu::Error error;
  Spin spin;
  const auto has_work = [&] {
    return device_.backend().default_stream(device_.handle(), error) == gpu::Progress::running;
  };
  if (!has_work()) {
    --waits_left_;
    return;
  }
  waits_left_ = calls_that_wait;
  while (has_work()) {
    if (spin.once()) meeting_.progress();
  }
}

void PeerGroup::order() {
  gpu::Error error;
  if (spoilt_ == nullptr && !broken_) device_.backend().order(queue_, error);  // else the launch tries and says why
}

int PeerGroup::run(gpu::PeerCollective& collective, const PeerRegion& region, double patience_seconds, bool& called_off,
                   const std::function<void()>& meanwhile) {
  if (broken_) return MPI_ERR_OTHER;
  called_off = !is_ready();
  if (called_off) return MPI_SUCCESS;
  collective.rank = rank_;
  collective.size = size_;
  collective.multiprocessors = multiprocessors_;
  collective.region = region.base;
  collective.region_bytes = region.bytes();
  usual_seconds_ = static_cast<double>(collective_bytes(collective)) / slow_bytes_per_second;
  bool again = false;
  do {
    gpu::Error error;
    if (!device_.backend().launch(queue_, collective, error)) {
      return fail(std::string("a GPU collective could not be started: ") + error.text.data());
    }
    if (meanwhile && !again) meanwhile();
    const int failure = wait(region, bounded(patience_seconds), called_off, again);
    if (failure != MPI_SUCCESS) return failure;
  } while (again);
  return MPI_SUCCESS;
}

/// After a launch that was called off: whether all ranks' queues are free again, their regions are full of holes, and
/// it is time for another attempt. The same on all ranks.
bool PeerGroup::is_ready() {
  if (!attempts_.open()) return false;
  if (spoilt_ == nullptr) return true;
  gpu::Error error;
  // what is left of the launch may write to the others' regions until it has ended
  bool ready = all_say(device_.backend().recover(queue_, error));
  if (ready) {
    std::byte* const own = spoilt_->base[static_cast<std::size_t>(rank_)];
    ready = all_say(device_.backend().erase(queue_, own, spoilt_->bytes(), error));
  }
  if (ready)
    spoilt_ = nullptr;
  else
    attempts_.back_off();
  return ready;
}

/// A meeting.
bool PeerGroup::all_say(bool yes) {
  const HostMeeting::Words words = meeting_.meet(yes ? 1 : 0);
  return std::all_of(words.begin(), words.begin() + size_, [](auto word) { return word == 1; });
}

/// `again`: it was called off because some rank's application had work in its default stream, and that is complete now.
int PeerGroup::wait(const PeerRegion& region, double patience_seconds, bool& called_off, bool& again) {
  gpu::Error error;
  bool lacks_room = false;
  again = false;
  switch (wait_for_launch(patience_seconds, lacks_room, error)) {
    case gpu::Progress::done:
      attempts_.keep_asking();
      return MPI_SUCCESS;
    case gpu::Progress::failed:
      return fail(std::string("a GPU collective failed: ") + error.text.data());
    case gpu::Progress::running:
    case gpu::Progress::left:
      break;
  }
  if (meeting_.called_off()) return leave_together(region, lacks_room, called_off, again);
  if (meeting_.any_gone()) return fail("the process of another rank has ended during a GPU collective");
  return fail("another rank could not take part in a GPU collective");
}

/// Until it is done or failed, was called off on some rank, or a rank cannot go on. `lacks_room`: this rank has called
/// it off, and not because it was to wait for the application's default stream.
gpu::Progress PeerGroup::wait_for_launch(double patience_seconds, bool& lacks_room, gpu::Error& error) {
  const Stopwatch watch;
  // Who looks keeps the host busy for some microseconds, which is seen at the end of a launch that runs.
  const double first_look = usual_patience + usual_seconds_;
  bool runs = false;
  bool failed = false;
  bool in_order = false;  // nothing of the application's comes before it
  const auto begins = [&] {
    if (runs || watch.seconds() < first_look) return true;
    if (!in_order) in_order = device_.backend().default_stream(device_.handle(), error) != gpu::Progress::running;
    if (in_order && watch.seconds() < std::max(patience_seconds, first_look)) return true;
    failed = !device_.backend().call_off(queue_, runs, error);
    if (runs || failed) return runs;
    lacks_room = in_order;
    if (!in_order) waits_left_ = calls_that_wait;
    meeting_.call_off();
    return false;
  };
  const gpu::Progress progress = wait_for(device_.backend(), queue_, error, [&] {
    return !meeting_.given_up() && !meeting_.called_off() && !meeting_.any_gone() && begins();
  });
  return failed ? gpu::Progress::failed : progress;
}

/// No rank's launch can be done any more: all leave, and meet again before any of them touches the data.
int PeerGroup::leave_together(const PeerRegion& region, bool lacks_room, bool& called_off, bool& again) {
  constexpr std::uint64_t left = 1;
  constexpr std::uint64_t without_room = 2;
  const HostMeeting::Words words = meeting_.meet((has_left() ? left : 0) | (lacks_room ? without_room : 0));
  const auto end = words.begin() + size_;
  if (!std::all_of(words.begin(), end, [](auto word) { return (word & left) != 0; })) {
    return fail("a GPU collective could not be called off");
  }
  spoilt_ = &region;
  again = std::none_of(words.begin(), end, [](auto word) { return (word & without_room) != 0; });
  if (again) {
    wait_for_application();
    wait_for_stream();
    again = is_ready();
  } else {
    attempts_.back_off();
  }
  called_off = !again;
  return MPI_SUCCESS;
}

/// A launch that was called off behind the application's default stream ends as soon as that does, if there is room.
void PeerGroup::wait_for_stream() {
  gpu::Error error;
  const Stopwatch watch;
  while (!device_.backend().recover(queue_, error) && watch.seconds() < longest_end) meeting_.progress();
}

/// Has this rank's launch leave; false if it does not, which only a GPU that has failed does.
bool PeerGroup::has_left() {
  gpu::Error error;
  if (!device_.backend().dismiss(queue_, error)) return false;
  const Stopwatch watch;
  const gpu::Progress progress =
      wait_for(device_.backend(), queue_, error, [&] { return watch.seconds() < longest_leave; });
  return progress == gpu::Progress::left || progress == gpu::Progress::done;
}

int PeerGroup::fail(const std::string& what) {
  telemetry::log(config::LogLevel::error, what);
  meeting_.give_up();
  if (!has_left()) device_.abandon();
  broken_ = true;
  return MPI_ERR_OTHER;
}

}  // namespace airamp::pmpi
