// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bitset>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/backend.hpp"
#include "pmpi/device/offset_allocator.hpp"

namespace airamp::pmpi {

class GpuDevice;

/// What of the application's comes before a copy.
enum class CopyOrder {
  after_default_stream,  ///< all that is in its default stream when the copy is asked for
  at_once                ///< nothing: what is copied is known to be complete
};

/// Scratch memory for the state of one queue's launches (gpu/peer/collective.hpp). Gives it back; only another such
/// state may have it then.
class LaunchStatePlace {
 public:
  LaunchStatePlace(GpuDevice& device, std::size_t index) : device_(device), index_(index) {}
  ~LaunchStatePlace();
  LaunchStatePlace(const LaunchStatePlace&) = delete;
  LaunchStatePlace& operator=(const LaunchStatePlace&) = delete;

  /// In the scratch memory.
  std::size_t offset() const;

 private:
  GpuDevice& device_;
  std::size_t index_;
};

/// A GPU context of the application as AIRamp uses it: our kernels, the scratch memory that this rank shares out among
/// its communicators, and the other ranks' scratch memory as mapped here. Thread-safe.
class GpuDevice {
 public:
  /// Device memory for scratch, all communicators together.
  static constexpr std::size_t scratch_bytes = 20U << 20U;

  GpuDevice(const gpu::Backend& backend, gpu::Device* handle, const gpu::Location& location)
      : backend_(backend), handle_(handle), location_(location) {}

  const gpu::Backend& backend() const { return backend_; }
  gpu::Device* handle() const { return handle_; }
  const gpu::Location& location() const { return location_; }
  /// Whether the application has not reset its GPU since: else nothing of this is left.
  bool is_alive() const { return backend_.is_alive(handle_); }

  /// Loads the kernels of collectives that compress to `format`; before the first of them. A warning if that fails: the
  /// first launch tries it again.
  void load_compression(WireFormat format);

  /// A part of the scratch memory; its offset, or nothing if there is none left. The first call allocates the whole.
  std::optional<std::size_t> allocate(std::size_t bytes);
  void free(std::size_t offset);
  /// The most bytes that `allocate` can give now.
  std::size_t largest_part();
  /// nullptr if there is no memory.
  std::unique_ptr<LaunchStatePlace> launch_state();

  /// After a successful `allocate`: the whole of the scratch memory, and its name for other processes.
  std::byte* scratch() const { return scratch_; }
  const gpu::ExportedMemory& exported_scratch() const { return exported_; }

  /// Another rank's scratch memory in this process; nullptr if this GPU cannot reach it. Mapped once.
  std::byte* map(const gpu::ExportedMemory& name);

  /// Pinned host memory, which the GPU reads and writes at the same address; nullptr if there is none.
  std::byte* allocate_host(std::size_t bytes);
  void free_host(std::byte* memory);

  void close_queue(gpu::Queue* queue);

  /// Copies between host and device memory and waits. No kernel need find room for it.
  bool copy(void* to, const void* from, std::size_t bytes, CopyOrder order = CopyOrder::after_default_stream);
  /// The same of `rows` rows of `bytes` bytes, `stride` >= `bytes` bytes apart in both places.
  bool copy_rows(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t rows,
                 CopyOrder order = CopyOrder::after_default_stream);

  /// A kernel of ours may never end: from now on everything stays with the process, for giving memory back would wait
  /// for that kernel.
  void abandon() { abandoned_ = true; }

  /// Gives back the mappings of the other ranks' memory, and what is our own. The others must have done the former
  /// before anyone does the latter.
  void unmap_peers();
  void release();

 private:
  friend class LaunchStatePlace;
  static constexpr std::size_t max_launch_states = 32;  ///< more than there are small regions

  /// A queue for copies of one order, from the first on. Copies of the other do not wait for these.
  struct CopyLane {
    std::mutex mutex;
    gpu::Queue* queue = nullptr;
  };

  bool allocate_scratch();
  template <class Copy>
  bool copy_on_queue(CopyOrder order, const Copy& copy);

  const gpu::Backend& backend_;
  gpu::Device* handle_;
  gpu::Location location_;
  std::mutex mutex_;
  std::byte* scratch_ = nullptr;
  bool scratch_failed_ = false;
  bool compression_loaded_ = false;  ///< a job has one format
  std::atomic<bool> abandoned_ = false;
  gpu::ExportedMemory exported_{};
  OffsetAllocator parts_{scratch_bytes};
  std::optional<std::size_t> launch_states_;  ///< offset
  std::bitset<max_launch_states> taken_launch_states_;
  std::vector<std::pair<gpu::ExportedMemory, std::byte*>> mapped_;
  CopyLane ordered_copies_;
  CopyLane copies_at_once_;
};

/// The device of `location`, opened on first sight; nullptr, with a warning once, if AIRamp cannot use it. Thread-safe.
GpuDevice* gpu_device(const gpu::Location& location);

/// For MPI_Finalize: see GpuDevice.
void unmap_gpu_peers();
void release_gpu_devices();

}  // namespace airamp::pmpi
