// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What a GPU plugin (libairamp-cuda.so, libairamp-hip.so) offers: a table of functions. The core library names no GPU
// programming interface and links with none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/data_type.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"
#include "gpu/ccl.hpp"
#include "gpu/location.hpp"
#include "gpu/peer/collective.hpp"

namespace airamp::gpu {

/// Version of the table; a plugin of another version is refused.
inline constexpr std::uint32_t backend_version = 10;

/// The name of the plugin's only symbol, of type `const Backend* (*)()`, extern "C".
inline constexpr const char* backend_symbol = "airamp_gpu_backend";

/// Names memory of one process for the others of its host; plain bytes that may be sent.
struct ExportedMemory {
  std::array<std::byte, 64> bytes{};
};

/// Tells GPUs apart; plain bytes that may be sent.
struct GpuIdentity {
  std::array<std::byte, 16> bytes{};
  bool operator==(const GpuIdentity&) const = default;
};

/// What went wrong, for people; empty if nothing did.
struct Error {
  std::array<char, 256> text{};
};

/// How far what was launched on a queue has come.
enum class Progress : std::uint8_t {
  running,
  done,
  failed,
  left  ///< it ended before it was done, as it was dismissed or had waited for long, and touches nothing any more
};

struct Device;  ///< a GPU context of the application with our kernels loaded into it; the plugin's
struct Queue;   ///< a stream of ours on a device and a completion flag in host memory; the plugin's
struct Ccl;     ///< this rank's part of a communicator of the site's CCL; the plugin's

/// Functions that return a pointer return nullptr, those that return bool false on failure, and say why in their last
/// argument. All of them work in the device's own context and leave the calling thread's current context, device and
/// last error as they were, and graphs that other threads capture meanwhile. Once the context is gone they fail, and
/// what they would give back is forgotten. Thread-safe for different queues; nothing throws.
struct Backend {
  std::uint32_t version;
  const char* name;  ///< "cuda", "hip"

  /// Opens the context of a device pointer, and loads all kernels that lossless collectives need: where the driver has
  /// to load one later, it waits for all kernels that run, and the application's other calls of the driver wait for it.
  Device* (*open_device)(const Location& location, Error& error);
  /// Likewise for collectives that compress to `format`, and for the codecs by themselves.
  bool (*load_compression)(Device* device, WireFormat format, Error& error);
  void (*close_device)(Device* device);
  int (*multiprocessors)(const Device* device);
  /// Names the GPU, or the part of it that this process has; the same in all processes of the host that share it.
  GpuIdentity (*identity)(const Device* device);
  /// Whether the context that was opened still exists: the application may reset its GPU at any time, and everything of
  /// ours on it is gone then. Some tens of nanoseconds. `order`, `launch` and the codecs do not ask it.
  bool (*is_alive)(const Device* device);
  /// Whether all is complete that the application has put into its default stream, and into streams that this one
  /// waits for. Does not wait. A microsecond or two.
  Progress (*default_stream)(Device* device, Error& error);

  /// Scratch memory, all bytes 0xff, from the allocator whose memory other processes can map.
  std::byte* (*allocate)(Device* device, std::size_t bytes, ExportedMemory& name, Error& error);
  void (*free)(Device* device, std::byte* memory);
  /// Maps another process's scratch memory (also of the same GPU).
  std::byte* (*map)(Device* device, const ExportedMemory& name, Error& error);
  void (*unmap)(Device* device, std::byte* memory);

  /// Pinned host memory that the device can read and write at the same address.
  std::byte* (*allocate_host)(Device* device, std::size_t bytes, Error& error);
  void (*free_host)(Device* device, std::byte* memory);

  Queue* (*open_queue)(Device* device, Error& error);
  /// A queue for collectives of ranks that all have one. Before the first launch all of them must have returned.
  Queue* (*open_peer_queue)(Device* device, const LaunchStatePlaces& places, Error& error);
  void (*close_queue)(Queue* queue);

  /// A queue for ghosts alone: its stream has the device's lowest priority and is ordered after no other.
  Queue* (*open_ghost_queue)(Device* device, Error& error);
  /// Starts a ghost: a kernel of one warp that does nothing but say that it is done. Asynchronous like `launch`.
  bool (*launch_ghost)(Queue* queue, Error& error);

  /// Orders the next launch, encoding, decoding or reduction on the queue after what the application has put into its
  /// default stream until now. They do so themselves if this was not called.
  bool (*order)(Queue* queue, Error& error);
  /// The next of these is ordered after nothing of the application's: what it works on is known to be complete.
  void (*leave_unordered)(Queue* queue);

  /// Starts a collective; `progress` tells when its output is there. One at a time on a queue. It writes to no buffer
  /// of the application before all ranks' kernels run. On a queue of `open_peer_queue` a kernel that has waited for
  /// some 10 to 20 milliseconds calls off what has not begun on the other ranks; if something has not, none of the
  /// ranks' launches will be done, and this one leaves.
  bool (*launch)(Queue* queue, const PeerCollective& collective, Error& error);

  // What follows is for a launch that does not start or a rank that is gone. None of it needs room on the GPU.

  /// Keeps what of a launch has not begun from beginning. `runs`: nothing is left to be kept; the launch will be done
  /// as soon as all ranks' run. Else it never will.
  bool (*call_off)(Queue* queue, bool& runs, Error& error);
  /// Calls the launch off and tells what of it runs to leave once it waits for another rank. Then `progress` goes on
  /// until it says `left`, or `done` after all.
  bool (*dismiss)(Queue* queue, Error& error);
  /// After `left`: whether the queue is free for another launch. What has not begun may be waiting for room until now.
  bool (*recover)(Queue* queue, Error& error);
  /// Makes all bytes of scratch memory 0xff, and waits.
  bool (*erase)(Queue* queue, std::byte* memory, std::size_t bytes, Error& error);

  /// Codecs on the device, the bit-exact twins of codec/codec.hpp; asynchronous like `launch`. `wire` is device memory
  /// or memory of `allocate_host`.
  bool (*encode)(Queue* queue, WireFormat format, ElementType type, const void* input, std::size_t elements,
                 std::byte* wire, Error& error);
  bool (*decode)(Queue* queue, WireFormat format, ElementType type, const std::byte* wire, std::size_t elements,
                 void* output, Error& error);
  /// `wires`: an array in host memory of `count` <= max_peers wires.
  bool (*reduce)(Queue* queue, WireFormat format, ElementType type, const std::byte* const* wires, std::size_t count,
                 std::size_t elements, ReduceOp op, std::byte* result, Error& error);

  /// Reduces `count` <= max_peers vectors of `elements` elements in the order in which they stand, with the arithmetic
  /// of the collectives without loss; `vectors` is an array in host memory. Asynchronous like `launch`, but ordered
  /// after nothing of the application's. The vectors are scratch memory, of any rank, and the result that or memory of
  /// `allocate_host`; all of whole 512 bytes.
  bool (*reduce_vectors)(Queue* queue, DataType type, const std::byte* const* vectors, std::size_t count,
                         std::size_t elements, ReduceOp op, std::byte* result, Error& error);

  /// Copies between any two places, host or device, and waits.
  bool (*copy)(Queue* queue, void* to, const void* from, std::size_t bytes, Error& error);
  /// The same of `rows` rows of `bytes` bytes, which begin `stride` >= `bytes` bytes apart in both places. What lies
  /// between the rows is not written.
  bool (*copy_rows)(Queue* queue, void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t rows,
                    Error& error);

  /// Without waiting; after `failed`, `error` says why.
  Progress (*progress)(Queue* queue, Error& error);

  /// Opens the site's CCL for the rest of the process, if it was not opened before. Fails if it cannot work on this
  /// device.
  bool (*ccl_find)(Device* device, CclSite& site, Error& error);
  /// After a successful `ccl_find`; on one rank of those that will open the communicator.
  bool (*ccl_unique_id)(Device* device, CclId& id, Error& error);
  /// Collective over `size` ranks, and slow: starts threads, connects the ranks, allocates memory on the GPU.
  Ccl* (*ccl_open)(Device* device, const CclId& id, int rank, int size, Error& error);
  /// Collective, unless it `aborts` what runs: then the queue that it runs on can only be closed.
  void (*ccl_close)(Ccl* ccl, bool aborts);
  /// Collective; starts it as `launch` does, after all ranks have come. `progress` also tells if the library fails.
  bool (*ccl_start)(Queue* queue, Ccl* ccl, const CclCollective& collective, Error& error);
};

/// The plugin for `platform`, opened on the first call from the folder of this library; nullptr if there is none (the
/// reason is logged by the caller from `error`). Thread-safe.
const Backend* backend(Platform platform, Error& error) noexcept;

}  // namespace airamp::gpu
