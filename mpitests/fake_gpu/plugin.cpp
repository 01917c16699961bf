// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A GPU plugin whose kernels run on the host, in the steps of `progress`.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "mpitests/fake_gpu/backend_objects.hpp"
#include "mpitests/fake_gpu/ccl.hpp"
#include "mpitests/fake_gpu/codec_launch.hpp"
#include "mpitests/fake_gpu/failure.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"
#include "mpitests/fake_gpu/host_address.hpp"
#include "mpitests/fake_gpu/pinned.hpp"

namespace airamp::gpu {
namespace {

using fake_gpu::end;
using fake_gpu::fails;
using fake_gpu::on_host;

Device* open_device(const Location& location, Error& error) {
  if (fails("open", error)) return nullptr;
  if (location.context == nullptr) end("a device without a context");
  return new Device{.context = location.context, .resets = fake_gpu_resets(), .scratch = {}};
}

bool load_compression(Device* device, WireFormat format, Error& error) {
  if (fails("load", error)) return false;
  device->loaded[static_cast<std::size_t>(format)] = true;
  return true;
}

bool is_alive(const Device* device) { return device->resets == fake_gpu_resets(); }

GpuIdentity identity(const Device* /*device*/) { return {}; }

Progress default_stream(Device* /*device*/, Error& /*error*/) {
  return fake_gpu_default_stream_is_busy() ? Progress::running : Progress::done;
}

bool demand_alive(const Device* device, Error& error) {
  if (!is_alive(device)) fake_gpu::explain(error, "the GPU was reset");
  return is_alive(device);
}

void close_device(Device* device) {
  if (is_alive(device) && device->open_queues != 0) end("a device is closed before its queues");
  delete device;
}

int multiprocessors(const Device*) { return 1; }

/// On a GPU, whoever gives memory back waits for all kernels.
void demand_idle(const Device* device) {
  if (!is_alive(device)) return;
  if (device->running != 0) end("memory is given back, which would wait for ever");
}

std::byte* allocate(Device* device, std::size_t bytes, ExportedMemory& name, Error& error) {
  return fails("allocate", error) ? nullptr : device->scratch.allocate(bytes, name, error);
}

void free_scratch(Device* device, std::byte* memory) {
  demand_idle(device);
  if (!is_alive(device)) return;
  if (!device->spoilt && !device->scratch.is_erased(memory)) end("scratch memory is not all 0xff in the end");
  device->scratch.release(memory);
}

std::byte* map(Device* device, const ExportedMemory& name, Error& error) {
  return fails("map", error) ? nullptr : device->scratch.map(name, error);
}

void unmap(Device* device, std::byte* memory) {
  demand_idle(device);
  device->scratch.release(memory);
}

std::byte* allocate_host(Device* /*device*/, std::size_t bytes, Error& error) {
  if (fails("pinned", error)) return nullptr;
  std::byte* const memory = fake_gpu::allocate_pinned(bytes);
  if (memory == nullptr) fake_gpu::explain(error, "no memory");
  return memory;
}

void free_host(Device* /*device*/, std::byte* memory) { fake_gpu::free_pinned(memory); }

Queue* open_queue(Device* device, Error& error) {
  if (fails("queue", error)) return nullptr;
  ++device->open_queues;
  return new Queue{.device = device, .running = nullptr, .codec = {}};
}

Queue* open_peer_queue(Device* device, const LaunchStatePlaces& places, Error& error) {
  Queue* queue = open_queue(device, error);
  if (queue == nullptr) return nullptr;
  queue->number = places.number;
  queue->rank = static_cast<std::size_t>(places.rank);
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(places.size); ++rank)
    queue->words.push_back(rank == queue->rank ? fake_gpu::LaunchWord::make(places.of[rank], places.number)
                                               : fake_gpu::LaunchWord::at(places.of[rank]));
  return queue;
}

Queue* open_ghost_queue(Device* device, Error& error) {
  if (fails("ghost_queue", error)) return nullptr;
  Queue* queue = open_queue(device, error);
  if (queue != nullptr) queue->for_ghosts = true;
  return queue;
}

bool launch_ghost(Queue* queue, Error& error) {
  if (!queue->for_ghosts) end("a ghost in a queue for other work");
  // one may have been on its way when the collective began
  if (queue->device->running > 0 && ++queue->device->ghosts_beside > 1) end("ghosts go on beside a collective");
  if (fails("ghost", error)) return false;
  queue->ghost.start();
  return true;
}

void close_queue(Queue* queue) {
  if (queue->running != nullptr) {
    if (!queue->aborts && !queue->called_off && is_alive(queue->device))
      end("a queue is closed while its collective runs");
    --queue->device->running;
  }
  if (!queue->words.empty() && is_alive(queue->device)) queue->words[queue->rank]->erase();
  --queue->device->open_queues;
  delete queue;
}

bool order(Queue* queue, Error& error) { return demand_alive(queue->device, error); }

void leave_unordered(Queue* queue) { queue->unordered = true; }

bool launch(Queue* queue, const PeerCollective& collective, Error& error) {
  if (!demand_alive(queue->device, error)) return false;
  if (fails("launch", error)) {
    queue->device->spoilt = true;  // the others write into our regions
    return false;
  }
  if (queue->running != nullptr || queue->codec) end("two launches at a time on a queue");
  if (collective.wire) fake_gpu::demand_loaded(*queue->device, *collective.wire);
  queue->running = std::make_unique<fake_gpu::CollectiveRun>(collective, queue->device->context);
  queue->aborts = queue->begun = queue->left = false;
  queue->launched = std::chrono::steady_clock::now();
  queue->device->ghosts_beside = 0;
  ++queue->device->running;
  return true;
}

/// The queue is free for another launch.
void end_launch(Queue* queue) {
  if (queue->running != nullptr) --queue->device->running;
  queue->running.reset();
  queue->called_off = queue->dismissed = queue->left = false;
  if (!queue->words.empty()) queue->words[queue->rank]->end(queue->number++);
}

/// A kernel that has found its room, and has not been called off before.
bool begins(Queue* queue) {
  if (!queue->begun && !queue->aborts && fake_gpu_is_occupied()) return false;
  if (!queue->begun && !queue->words.empty() && !queue->words[queue->rank]->begin(queue->number)) return false;
  queue->begun = true;
  return true;
}

/// What a kernel does that has waited for others for FAKE_GPU_PATIENCE seconds.
bool calls_peers_off(const Queue* queue) {
  static const char* const patience = std::getenv("FAKE_GPU_PATIENCE");
  static const double seconds = patience != nullptr ? std::atof(patience) : 0;
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - queue->launched;
  if (patience == nullptr || waited.count() < seconds) return false;
  bool any = false;
  for (std::size_t rank = 0; rank < queue->words.size(); ++rank)
    any = (rank != queue->rank && queue->words[rank]->call_off(queue->number)) || any;
  return any;
}

/// The driver lets nobody in as long as the kernel that finds no room waits.
void wait_for_driver(const Queue* queue) {
  while (fake_gpu_is_held_up() && queue->words[queue->rank]->is_open(queue->number))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool call_off(Queue* queue, bool& runs, Error& /*error*/) {
  runs = queue->begun || queue->running == nullptr;
  if (!runs && !queue->words.empty()) {
    wait_for_driver(queue);
    runs = !queue->words[queue->rank]->call_off(queue->number);
  }
  queue->called_off = !runs;
  return true;
}

bool dismiss(Queue* queue, Error& error) {
  bool runs = false;
  queue->dismissed = queue->device->spoilt = true;
  return demand_alive(queue->device, error) && call_off(queue, runs, error);
}

/// A collective that was called off may be waiting for room until now.
bool recover(Queue* queue, Error& /*error*/) {
  if (queue->running != nullptr && !queue->called_off) end("a queue is used again whose collective runs");
  if (queue->called_off && fake_gpu_is_occupied()) return false;
  if (queue->called_off || queue->left) end_launch(queue);
  return true;
}

/// What runs ends before it is done.
Progress leave(Queue* queue) {
  if (queue->running != nullptr) --queue->device->running;
  queue->running.reset();
  queue->left = queue->device->spoilt = true;
  return Progress::left;
}

bool erase(Queue* /*queue*/, std::byte* memory, std::size_t bytes, Error& /*error*/) {
  std::memset(memory, 0xff, bytes);
  return true;
}

Progress progress(Queue* queue, Error& error) {
  if (queue->ghost.is_running()) return queue->ghost.step() ? Progress::done : Progress::running;
  if (queue->codec) {
    if (queue->waits_for_room && fake_gpu_is_occupied()) return Progress::running;
    if (--queue->codec_steps > 0) return Progress::running;
    std::exchange(queue->codec, {})();
    return Progress::done;
  }
  if (queue->left) return Progress::left;
  if (queue->running == nullptr) return Progress::done;
  if (queue->called_off) return queue->dismissed ? Progress::left : Progress::running;
  if (fails("progress", error)) return Progress::failed;
  if (!begins(queue)) return Progress::running;
  if (queue->dismissed) return leave(queue);  // it waits for others as soon as it has pushed its own
  if (!queue->running->step()) return calls_peers_off(queue) ? leave(queue) : Progress::running;
  end_launch(queue);
  return Progress::done;
}

/// Waits as a copy does that is ordered after the application's default stream.
void wait_for_default_stream(Queue* queue) {
  while (!queue->unordered && fake_gpu_default_stream_is_busy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  queue->unordered = false;
}

/// Copies within a GPU are kernels.
void wait_for_room(const Queue* queue, const void* to, const void* from) {
  const auto lies_on_gpu = [&](const void* memory) { return fake_gpu_reaches(queue->device->context, memory, 1); };
  while (lies_on_gpu(to) && lies_on_gpu(from) && fake_gpu_is_occupied())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool copy(Queue* queue, void* to, const void* from, std::size_t bytes, Error& error) {
  if (fails("copy", error)) return false;
  wait_for_default_stream(queue);
  wait_for_room(queue, to, from);
  std::memmove(on_host(to), on_host(from), bytes);
  return true;
}

bool copy_rows(Queue* queue, void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t rows,
               Error& error) {
  if (fails("copy", error)) return false;
  wait_for_default_stream(queue);
  auto* const first_to = on_host(static_cast<std::byte*>(to));
  const auto* const first_from = on_host(static_cast<const std::byte*>(from));
  for (std::size_t row = 0; row < rows; ++row) {
    std::memmove(first_to + row * stride, first_from + row * stride, bytes);
  }
  return true;
}

bool ccl_find(Device* /*device*/, CclSite& site, Error& error) {
  site = fake_gpu::ccl_site();
  return !fails("ccl_find", error);
}

bool ccl_unique_id(Device* device, CclId& id, Error& error) {
  ExportedMemory name;
  if (fails("ccl_unique_id", error)) return false;
  std::byte* memory = device->scratch.allocate(fake_gpu::ccl_memory_bytes, name, error);
  id = fake_gpu::ccl_id(name);
  device->named_ccls[id] = memory;
  return memory != nullptr;
}

Ccl* ccl_open(Device* device, const CclId& id, int rank, int size, Error& error) {
  if (fails("ccl_open", error)) return nullptr;
  std::byte* memory = device->scratch.map(fake_gpu::memory_of(id), error);
  if (memory == nullptr) return nullptr;
  ++device->open_queues;
  return new Ccl{.device = device, .id = id, .memory = memory, .rank = rank, .size = size};
}

void ccl_close(Ccl* ccl, bool aborts) {
  Device& device = *ccl->device;
  if (!aborts && !device.scratch.is_erased(ccl->memory)) end("a communicator is closed while it works");
  device.scratch.release(ccl->memory);
  if (const auto named = device.named_ccls.find(ccl->id); named != device.named_ccls.end()) {
    device.scratch.release(named->second);
    device.named_ccls.erase(named);
  }
  --device.open_queues;
  delete ccl;
}

bool ccl_start(Queue* queue, Ccl* ccl, const CclCollective& collective, Error& error) {
  if (fails("ccl_start", error)) return false;
  if (queue->running != nullptr) end("two collectives at a time on a queue");
  queue->running = std::make_unique<fake_gpu::CollectiveRun>(
      fake_gpu::over_peer_memory(collective, ccl->memory, ccl->rank, ccl->size), queue->device->context);
  queue->aborts = true;
  queue->device->ghosts_beside = 0;
  ++queue->device->running;
  return true;
}

}  // namespace
}  // namespace airamp::gpu

extern "C" __attribute__((visibility("default"))) const airamp::gpu::Backend* airamp_gpu_backend() {
  using namespace airamp::gpu;
  static constexpr Backend table{.version = backend_version,
                                 .name = "cuda",
                                 .open_device = open_device,
                                 .load_compression = load_compression,
                                 .close_device = close_device,
                                 .multiprocessors = multiprocessors,
                                 .identity = identity,
                                 .is_alive = is_alive,
                                 .default_stream = default_stream,
                                 .allocate = allocate,
                                 .free = free_scratch,
                                 .map = map,
                                 .unmap = unmap,
                                 .allocate_host = allocate_host,
                                 .free_host = free_host,
                                 .open_queue = open_queue,
                                 .open_peer_queue = open_peer_queue,
                                 .close_queue = close_queue,
                                 .open_ghost_queue = open_ghost_queue,
                                 .launch_ghost = launch_ghost,
                                 .order = order,
                                 .leave_unordered = leave_unordered,
                                 .launch = launch,
                                 .call_off = call_off,
                                 .dismiss = dismiss,
                                 .recover = recover,
                                 .erase = erase,
                                 .encode = encode,
                                 .decode = decode,
                                 .reduce = reduce,
                                 .reduce_vectors = reduce_vectors,
                                 .copy = copy,
                                 .copy_rows = copy_rows,
                                 .progress = progress,
                                 .ccl_find = ccl_find,
                                 .ccl_unique_id = ccl_unique_id,
                                 .ccl_open = ccl_open,
                                 .ccl_close = ccl_close,
                                 .ccl_start = ccl_start};
  return &table;
}
