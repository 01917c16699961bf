// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/started/peer_starts.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "codec/lossless_reduce.hpp"
#include "pmpi/device/queue_wait.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

/// Starts that may run at the same time: half as many as on the host, whose memory is not as scarce.
constexpr std::uint64_t places = 8;
/// What says on the host which vectors are there. A rank whose GPU was reset since gives nothing: each start is decided
/// on by itself.
constexpr StartRing::Division marks = {.max_bytes = 1, .places = places, .window = 1};
/// What the kernels load at once.
constexpr std::size_t row_bytes = 512;
/// A kernel that has not ended by then has found no room.
constexpr double room_patience_seconds = 1e-3;

/// Those that nobody owns any more, but whose vectors some rank may still read.
struct Retired {
  std::mutex mutex;
  std::vector<std::unique_ptr<PeerStarts>> all;
};

/// Never destroyed: exit handlers of the application may still call MPI.
Retired& retired() {
  static Retired& instance = *new Retired;
  return instance;
}

}  // namespace

PeerStarts::PeerStarts(std::shared_ptr<PeerGroup> peers, std::unique_ptr<PeerRegion> region)
    : peers_(std::move(peers)),
      region_(std::move(region)),
      slot_bytes_(std::min(most_bytes, region_->bytes() / places / row_bytes * row_bytes)),
      on_host_(slot_bytes_ * static_cast<std::size_t>(peers_->size())) {
  gpu::Error error;
  queue_ = peers_->device().backend().open_queue(peers_->device().handle(), error);
  pinned_ = peers_->device().allocate_host(2 * slot_bytes_);
}

Result<Made<std::shared_ptr<PeerStarts>>> PeerStarts::create(MPI_Comm comm, std::shared_ptr<PeerGroup> peers) {
  using MadeStarts = Made<std::shared_ptr<PeerStarts>>;
  release_if([](const PeerStarts& starts) { return starts.is_released(); });
  PeerGroup& group = *peers;
  Result<std::unique_ptr<PeerRegion>> region = group.acquire_part(comm, places * most_bytes, places * least_bytes);
  if (!region.ok()) return MpiError{region.error()};
  if (*region == nullptr) return MadeStarts::not_made("the GPU scratch memory is taken by other communicators");
  std::unique_ptr<PeerStarts> made(new PeerStarts(std::move(peers), std::move(*region)));
  const auto prepare = [&] {
    made->starts_.emplace(made->segment_.data(), group.meeting(), group.rank(), group.size(), marks);
    return made->queue_ != nullptr && made->pinned_ != nullptr && made->on_host_.data() != nullptr &&
           made->starts_->open() == MPI_SUCCESS;
  };
  const Result<bool> opened =
      made->segment_.open({comm, group.rank()}, StartRing::shared_bytes(group.size(), marks), prepare);
  if (!opened.ok()) return MpiError{opened.error()};
  if (!*opened) return MadeStarts::not_made("the host has no shared memory for what is started");
  made->segment_.close_descriptor();
  return MadeStarts{.made = std::shared_ptr<PeerStarts>(made.release(), retire), .why_not = {}};
}

void PeerStarts::retire(PeerStarts* starts) noexcept {
  std::unique_ptr<PeerStarts> owned(starts);
  if (owned->is_released()) return;
  try {
    const std::lock_guard lock(retired().mutex);
    retired().all.push_back(std::move(owned));
  } catch (const std::bad_alloc&) {
    static_cast<void>(owned.release());  // it stays with the process
  }
}

template <class Condition>
void PeerStarts::release_if(const Condition& condition) {
  std::vector<std::unique_ptr<PeerStarts>> released;  // without the lock: their end calls MPI
  const std::lock_guard lock(retired().mutex);
  std::vector<std::unique_ptr<PeerStarts>>& all = retired().all;
  released.reserve(all.size());
  for (std::unique_ptr<PeerStarts>& starts : all) {
    if (condition(*starts)) released.push_back(std::move(starts));
  }
  std::erase(all, nullptr);
}

void PeerStarts::release_all() {
  release_if([](const PeerStarts& /*starts*/) { return true; });
}

/// What others may use next is all 0xff.
PeerStarts::~PeerStarts() {
  GpuDevice& device = peers_->device();
  if (!device.is_alive()) return;
  gpu::Error error;
  const bool erased =
      queue_ != nullptr && is_idle() &&
      device.backend().erase(queue_, region_->base[static_cast<std::size_t>(peers_->rank())], region_->bytes(), error);
  if (!erased) {
    static_cast<void>(region_.release());
  } else if (pinned_ != nullptr) {
    device.free_host(pinned_);
  }
  if (queue_ != nullptr) device.close_queue(queue_);
}

std::byte* PeerStarts::slot(int rank, std::uint64_t number) const {
  return region_->base[static_cast<std::size_t>(rank)] + number % places * slot_bytes_;
}

/// A copy within a GPU is a kernel, which may find no room before the program has the result; those between host and
/// GPU are not.
bool PeerStarts::give(std::uint64_t number, const StartBuffers& buffers) {
  GpuDevice& device = peers_->device();
  if (!device.is_alive()) return false;
  std::byte* const place = slot(peers_->rank(), number);
  if (!buffers.input_on.holds) return device.copy(place, buffers.input, buffers.bytes);
  return device.copy(passage(), buffers.input, buffers.bytes) &&
         device.copy(place, passage(), buffers.bytes, CopyOrder::at_once);
}

bool PeerStarts::deliver(const std::byte* result, const StartBuffers& buffers) {
  if (!buffers.output_on.holds) {
    std::memcpy(buffers.output, result, buffers.bytes);
    return true;
  }
  // natively nothing that the program has on its GPU comes before a collective's end
  return peers_->device().copy(buffers.output, result, buffers.bytes, CopyOrder::at_once);
}

/// Whether no kernel runs.
bool PeerStarts::is_idle() {
  gpu::Error error;
  if (runs_) runs_ = peers_->device().backend().progress(queue_, error) == gpu::Progress::running;
  return !runs_;
}

const std::byte* PeerStarts::reduce(std::uint64_t number, DataType type, ReduceOp op, std::size_t elements) {
  GpuDevice& device = peers_->device();
  if (!device.is_alive()) return nullptr;
  if (!is_idle()) return reduce_on_host(number, type, op, elements);
  std::array<const std::byte*, gpu::max_peers> vectors{};
  for (int rank = 0; rank < peers_->size(); ++rank) vectors[static_cast<std::size_t>(rank)] = slot(rank, number);
  gpu::Error error;
  gpu::Progress progress = gpu::Progress::failed;
  if (device.backend().reduce_vectors(queue_, type, vectors.data(), static_cast<std::size_t>(peers_->size()), elements,
                                      op, result(), error)) {
    const Stopwatch watch;
    progress = wait_for(device.backend(), queue_, error, [&] { return watch.seconds() < room_patience_seconds; });
  }
  if (progress == gpu::Progress::done) return result();
  if (progress == gpu::Progress::running) {
    runs_ = true;
    return reduce_on_host(number, type, op, elements);
  }
  telemetry::log(config::LogLevel::error, std::string("a GPU could not reduce: ") + error.text.data());
  return nullptr;
}

/// By copies, which need no room, and with the same arithmetic.
const std::byte* PeerStarts::reduce_on_host(std::uint64_t number, DataType type, ReduceOp op, std::size_t elements) {
  const auto size = static_cast<std::size_t>(peers_->size());
  const std::size_t bytes = elements * size_of(type);
  std::array<const std::byte*, gpu::max_peers> vectors{};
  for (std::size_t rank = 0; rank < size; ++rank) {
    std::byte* const vector = on_host_.data() + rank * slot_bytes_;
    const std::byte* const from = slot(static_cast<int>(rank), number);
    if (!peers_->device().copy(vector, from, bytes, CopyOrder::at_once)) return nullptr;
    vectors[rank] = vector;
  }
  codec::reduce_lossless(type, op, vectors.data(), size, elements, on_host_.data());
  return on_host_.data();
}

}  // namespace airamp::pmpi
