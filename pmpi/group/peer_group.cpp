// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/peer_group.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pmpi/device/queue_wait.hpp"
#include "pmpi/group/peer_regions.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

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

const PeerRegion* PeerGroup::region(std::uint64_t message_bytes) const {
  return message_bytes <= small_message_bytes ? small_.get() : large_.get();
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
    case gpu::Progress::left:  // it has called off another rank's
      lacks_room = true;
      meeting_.call_off();
      break;
    case gpu::Progress::running:
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
