// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/runtime/launch.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "codec/codec.hpp"
#include "gpu/device/arguments.hpp"
#include "gpu/device/kernel_limits.hpp"
#include "gpu/peer/geometry.hpp"
#include "gpu/peer/layout.hpp"
#include "gpu/runtime/error_text.hpp"
#include "gpu/runtime/kernels.hpp"
#include "gpu/runtime/start_kernel.hpp"

namespace airamp::gpu::runtime {
namespace {

bool is_aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

bool refuse(const char* reason, Error& error) {
  describe(error, "preparing a collective", reason);
  return false;
}

std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// What a collective's elements are to the kernels: their bytes, how many fill a row, and whether any bits are legal.
struct RowElements {
  std::uint64_t bytes;
  std::uint64_t per_row;
  bool any_bits = false;
};

RowElements reduced_elements(const PeerCollective& c) {
  const std::uint64_t bytes = size_of(c.type);
  if (c.wire) return {bytes, codec::wire_row_elements};
  return {bytes, codec::wire_row_bytes / bytes, c.type > DataType::float64};
}

/// Movement without loss is of bytes.
RowElements moved_elements(const PeerCollective& c) {
  if (!c.wire) return {1, codec::wire_row_bytes, true};
  return {size_of(c.type), codec::wire_row_elements};
}

std::uint32_t votes_offset(const PeerCollective& c) { return static_cast<std::uint32_t>(c.region_bytes) - votes_bytes; }

bool fill_ring(const PeerCollective& c, const RingNeeds& needs, device::Ring& ring, Error& error) {
  if (c.region_bytes < votes_bytes) return refuse("its region is too small", error);
  const RingLayout layout = ring_layout(needs, c.region_bytes - votes_bytes, c.multiprocessors);
  if (layout.channels == 0) return refuse("its region is too small", error);
  std::copy_n(c.region.begin(), c.size, ring.region);
  ring.votes_offset = votes_offset(c);
  ring.slot_bytes = layout.slot_bytes;
  ring.record_offset = layout.record_offset;
  ring.channels = layout.channels;
  ring.rounds = layout.rounds;
  ring.size = c.size;
  ring.rank = c.rank;
  return true;
}

template <class Arguments>
bool start_collective(Queue& queue, const void* kernel, Grid grid, Arguments& a, Error& error) {
  const bool started = start_kernel(queue, kernel, grid, a, error);
  queue.words->number = queue.finished + 1;
  queue.is_counted = !started;
  return started;
}

/// Of how many ranks, from rank 0 on, a rank's result is.
int one_shot_sources(const PeerCollective& c, int rank) {
  if (c.pattern == Pattern::reduce) return rank == c.root ? c.size : 0;
  if (c.pattern == Pattern::scan) return rank + 1;
  return c.pattern == Pattern::exscan ? rank : c.size;
}

bool launch_one_shot(Queue& queue, const PeerCollective& c, Error& error) {
  const RowElements elements = reduced_elements(c);
  const void* kernel = one_shot_kernel(c.type);
  if (!may_be_one_shot(c.pattern) || c.wire || kernel == nullptr)
    return refuse("one shot is for lossless reductions of whole vectors", error);
  if (one_shot_region_bytes(c.elements * elements.bytes, c.size) > c.region_bytes)
    return refuse("its region is too small", error);
  device::OneShotArguments a;
  std::copy_n(c.region.begin(), c.size, a.region);
  a.votes_offset = votes_offset(c);
  a.input = static_cast<const std::byte*>(c.input);
  a.output = static_cast<std::byte*>(c.output);
  a.elements = c.elements;
  a.rows = static_cast<std::uint32_t>(quotient_up(c.elements, elements.per_row));
  a.size = c.size;
  a.rank = c.rank;
  a.sources = one_shot_sources(c, c.rank);
  for (int r = 0; r < c.size; ++r)
    if (r != c.rank && c.rank < one_shot_sources(c, r)) a.readers |= 1u << r;
  a.op = c.op;
  a.by_votes = c.pattern != Pattern::allreduce;
  a.input_aligned = is_aligned(c.input);
  a.output_aligned = is_aligned(c.output);
  const std::uint64_t max_blocks = static_cast<std::uint64_t>(device::one_shot_blocks) * c.multiprocessors;
  const std::uint64_t warps = std::min<std::uint64_t>(a.rows, max_blocks * device::one_shot_warps);
  const Grid grid = spread(warps, c.multiprocessors, device::one_shot_warps);
  return start_collective(queue, kernel, grid, a, error);
}

bool scatters(const PeerCollective& c) {
  return c.pattern == Pattern::reduce_scatter_block || c.pattern == Pattern::reduce_scatter;
}

/// Each rank owns its result.
void divide_by_results(const PeerCollective& c, std::uint64_t tile, device::ReduceArguments& a) {
  a.index_step = tile;
  for (int r = 0; r < c.size; ++r) {
    const auto rank = static_cast<std::uint64_t>(r);
    const Block block = c.pattern == Pattern::reduce_scatter ? c.blocks[rank] : Block{rank * c.elements, c.elements};
    a.begin[r] = block.offset;
    a.end[r] = block.offset + block.elements;
  }
  a.output_shift = a.begin[c.rank];
}

/// The ranks own the tiles in turn; but not a root, to which all results travel. Of two ranks both do, as either way as
/// much goes from one to the other.
void divide_in_turn(const PeerCollective& c, std::uint64_t tile, device::ReduceArguments& a) {
  const bool spares_root = c.pattern == Pattern::reduce && c.size > 2;
  std::uint64_t owners = 0;
  for (int r = 0; r < c.size; ++r) {
    const bool owns = !spares_root || r != c.root;
    a.begin[r] = owns ? owners++ * tile : c.elements;
    a.end[r] = c.elements;
  }
  a.index_step = owners * tile;
}

/// Tiles that an owner has.
std::uint64_t tiles_of(const device::ReduceArguments& a, int owner) {
  return a.begin[owner] < a.end[owner] ? quotient_up(a.end[owner] - a.begin[owner], a.index_step) : 0;
}

/// Whether a slot is used again and some owner's tiles end before the last round.
bool ends_early(const PeerCollective& c, const device::ReduceArguments& a) {
  if (c.pattern != Pattern::reduce_scatter || a.ring.rounds <= ring_slots) return false;
  std::uint64_t fewest = tiles_of(a, 0);
  for (int r = 1; r < c.size; ++r) fewest = std::min(fewest, tiles_of(a, r));
  return fewest < std::uint64_t{a.ring.rounds - 1} * a.ring.channels;
}

/// Divides the vector and the region for a kernel: `specialised`, for this number of ranks.
bool lay_out_reduction(const PeerCollective& c, bool specialised, device::ReduceArguments& a, Error& error) {
  const RowElements elements = reduced_elements(c);
  const int rows = reduce_tile_rows(c.size, specialised);
  const std::uint64_t tile = elements.per_row * static_cast<std::uint64_t>(rows);
  if (scatters(c))
    divide_by_results(c, tile, a);
  else
    divide_in_turn(c, tile, a);
  std::uint64_t tiles = 0;
  for (int r = 0; r < c.size; ++r) tiles = std::max(tiles, tiles_of(a, r));
  const int max_warps = device::reduce_warps(specialised ? c.size : 0);
  return fill_ring(c, {tiles, c.size, rows, scatters(c) ? 1 : 2, elements.any_bits, max_warps}, a.ring, error);
}

bool launch_reduction(Queue& queue, const PeerCollective& c, Error& error) {
  const RowElements elements = reduced_elements(c);
  const std::optional<ElementType> element = element_type(c.type);
  const bool compressed = c.wire.has_value();
  if (compressed && (!element || c.op == ReduceOp::prod)) return refuse("no codec reduces this type so", error);
  const void* kernel = nullptr;
  if (c.op == ReduceOp::sum) {
    const bool is_float = c.type <= DataType::float64;
    kernel = compressed ? mx_sum_kernel(c.size, *c.wire, *element)
             : is_float ? float_sum_kernel(c.size, c.type)
                        : integer_sum_kernel(c.size, c.type);
  }
  device::ReduceArguments a;
  bool specialised = kernel != nullptr;
  if (specialised) {
    if (!lay_out_reduction(c, true, a, error)) return false;
    specialised = !ends_early(c, a);
  }
  if (!specialised) {
    kernel = compressed ? mx_reduce_kernel(*c.wire, *element) : lossless_reduce_kernel(c.type);
    if (kernel == nullptr) return refuse("bytes cannot be reduced", error);
    if (!lay_out_reduction(c, false, a, error)) return false;
    a.tokens = ends_early(c, a);
  }
  a.input = static_cast<const std::byte*>(c.input);
  a.output = static_cast<std::byte*>(c.output);
  a.op = c.op;
  if (c.pattern == Pattern::allreduce) a.readers = (1u << c.size) - 1;
  if (c.pattern == Pattern::reduce) a.readers = 1u << c.root;
  a.keeps = c.pattern != Pattern::reduce || c.rank == c.root;
  // a rank may own nothing and read nothing
  a.by_votes = (c.pattern == Pattern::reduce || c.pattern == Pattern::reduce_scatter) && a.ring.rounds > 0;
  a.input_aligned = is_aligned(c.input);
  for (int r = 0; scatters(c) && r < c.size; ++r) a.input_aligned &= a.begin[r] * elements.bytes % 16 == 0;
  a.output_aligned = is_aligned(c.output);
  const int max_warps = device::reduce_warps(specialised ? c.size : 0);
  return start_collective(queue, kernel, spread(a.ring.channels, c.multiprocessors, max_warps), a, error);
}

bool launch_prefix(Queue& queue, const PeerCollective& c, Error& error) {
  const void* kernel = prefix_kernel(c.type);
  if (c.wire || kernel == nullptr) return refuse("no kernel scans this type so", error);
  const RowElements elements = reduced_elements(c);
  device::PrefixArguments a;
  const std::uint64_t tiles = quotient_up(c.elements, elements.per_row * static_cast<std::uint64_t>(c.size));
  if (!fill_ring(c, {tiles, c.size, 1, 2, elements.any_bits, device::general_warps}, a.ring, error)) return false;
  a.input = static_cast<const std::byte*>(c.input);
  a.output = static_cast<std::byte*>(c.output);
  a.elements = c.elements;
  a.op = c.op;
  a.exclusive = c.pattern == Pattern::exscan;
  a.input_aligned = is_aligned(c.input);
  a.output_aligned = is_aligned(c.output);
  return start_collective(queue, kernel, spread(a.ring.channels, c.multiprocessors, device::general_warps), a, error);
}

bool launch_gather(Queue& queue, const PeerCollective& c, Error& error) {
  const RowElements elements = moved_elements(c);
  const std::optional<ElementType> element = element_type(c.type);
  const bool compressed = c.wire.has_value();
  if (compressed && !element) return refuse("no codec compresses this type", error);
  const auto find = [&](int size) {
    return compressed ? mx_gather_kernel(size, *c.wire, *element) : exact_gather_kernel(size);
  };
  const void* kernel = c.size > 1 ? find(c.size) : nullptr;
  const bool specialised = kernel != nullptr;
  if (!specialised) kernel = find(0);

  device::GatherArguments a;
  const std::uint64_t units = size_of(c.type) / elements.bytes;  // per element of the collective
  std::uint64_t largest = 0;
  for (int r = 0; r < c.size; ++r) {
    const Block& block = c.blocks[static_cast<std::size_t>(r)];
    a.offset[r] = block.offset * units;
    a.elements[r] = block.elements * units;
    largest = std::max(largest, a.elements[r]);
    if (is_aligned(static_cast<const std::byte*>(c.output) + a.offset[r] * elements.bytes)) a.output_aligned |= 1u << r;
  }
  const int rows = gather_tile_rows(c.size, specialised);
  const std::uint64_t tiles = quotient_up(largest, elements.per_row * static_cast<std::uint64_t>(rows));
  const int max_warps = device::gather_warps(specialised ? c.size : 0);
  if (!fill_ring(c, {tiles, c.size, rows, 1, elements.any_bits, max_warps}, a.ring, error)) return false;
  a.input = static_cast<const std::byte*>(c.input);
  a.output = static_cast<std::byte*>(c.output);
  a.input_aligned = is_aligned(c.input);
  return start_collective(queue, kernel, spread(a.ring.channels, c.multiprocessors, max_warps), a, error);
}

bool launch_alltoall(Queue& queue, const PeerCollective& c, Error& error) {
  if (c.wire) return refuse("no codec compresses an alltoall", error);
  const void* kernel = c.size > 1 ? exact_alltoall_kernel(c.size) : nullptr;
  const bool specialised = kernel != nullptr;
  if (!specialised) kernel = exact_alltoall_kernel(0);
  const RowElements elements = moved_elements(c);
  const std::uint64_t unit = size_of(c.type);
  device::AlltoallArguments a;
  a.input = static_cast<const std::byte*>(c.input);
  a.output = static_cast<std::byte*>(c.output);
  for (int r = 0; r < c.size; ++r) {
    const auto rank = static_cast<std::size_t>(r);
    a.sent_offset[r] = c.sent[rank].offset * unit;
    a.sent_elements[r] = c.sent[rank].elements * unit;
    a.offset[r] = c.blocks[rank].offset * unit;
    a.elements[r] = c.blocks[rank].elements * unit;
    a.room[r] = c.room[rank] * unit;
    if (is_aligned(a.input + a.sent_offset[r])) a.input_aligned |= 1u << r;
    if (is_aligned(a.output + a.offset[r])) a.output_aligned |= 1u << r;
  }
  const int rows = gather_tile_rows(c.size, specialised);
  const std::uint64_t tiles = quotient_up(c.elements * unit, elements.per_row * static_cast<std::uint64_t>(rows));
  const int max_warps = device::alltoall_warps(specialised ? c.size : 0);
  if (!fill_ring(c, {tiles, c.size, rows, 1, elements.any_bits, max_warps}, a.ring, error)) return false;
  return start_collective(queue, kernel, spread(a.ring.channels, c.multiprocessors, max_warps), a, error);
}

bool launch_broadcast(Queue& queue, const PeerCollective& c, Error& error) {
  const RowElements elements = moved_elements(c);
  const std::optional<ElementType> element = element_type(c.type);
  const bool compressed = c.wire.has_value();
  if (compressed && !element) return refuse("no codec compresses this type", error);
  const void* kernel = compressed ? nullptr : exact_broadcast_kernel(c.size);
  const bool specialised = kernel != nullptr;
  if (!specialised) kernel = compressed ? mx_broadcast_kernel(*c.wire, *element) : exact_broadcast_kernel(0);
  device::BroadcastArguments a;
  a.elements = c.elements * (size_of(c.type) / elements.bytes);
  const auto owners = static_cast<std::uint64_t>(std::max(c.size - 1, 1));
  const int rows = broadcast_tile_rows(c.size, specialised);
  const std::uint64_t tile = elements.per_row * static_cast<std::uint64_t>(rows);
  const std::uint64_t tiles = c.size > 1 ? quotient_up(a.elements, tile * owners) : 0;
  if (!fill_ring(c, {tiles, c.size, rows, 2, elements.any_bits, device::general_warps}, a.ring, error)) return false;
  a.buffer = static_cast<std::byte*>(c.output);
  a.root = c.root;
  a.aligned = is_aligned(c.output);
  return start_collective(queue, kernel, spread(a.ring.channels, c.multiprocessors, device::general_warps), a, error);
}

/// With the number of rows in its arguments.
bool start_rows(Queue& queue, const void* kernel, device::CodecArguments& a, Error& error) {
  constexpr std::uint64_t max_blocks_per_multiprocessor = 8;
  const std::uint64_t most =
      static_cast<std::uint64_t>(queue.device->multiprocessors) * max_blocks_per_multiprocessor * device::codec_warps;
  return start_kernel(queue, kernel, spread(std::min(a.rows, most), queue.device->multiprocessors, device::codec_warps),
                      a, error);
}

bool start_codec(Queue& queue, const void* kernel, device::CodecArguments& a, Error& error) {
  if (!order_if_nobody_has(&queue, error)) return false;
  a.rows = codec::wire_rows(a.elements);
  return start_rows(queue, kernel, a, error);
}

}  // namespace

bool launch(Queue* queue, const PeerCollective& collective, Error& error) noexcept {
  if (collective.size < 1 || collective.size > max_peers) return refuse("too many ranks", error);
  if (!order_if_nobody_has(queue, error)) return false;
  if (collective.shots == Shots::one) return launch_one_shot(*queue, collective, error);
  switch (collective.pattern) {
    case Pattern::allreduce:
    case Pattern::reduce_scatter_block:
    case Pattern::reduce:
    case Pattern::reduce_scatter:
      return launch_reduction(*queue, collective, error);
    case Pattern::scan:
    case Pattern::exscan:
      return launch_prefix(*queue, collective, error);
    case Pattern::allgather:
      return launch_gather(*queue, collective, error);
    case Pattern::bcast:
      return launch_broadcast(*queue, collective, error);
    case Pattern::alltoallv:
      return launch_alltoall(*queue, collective, error);
  }
  return refuse("unknown pattern", error);
}

bool encode(Queue* queue, WireFormat format, ElementType type, const void* input, std::size_t elements, std::byte* wire,
            Error& error) noexcept {
  device::CodecArguments a;
  a.input = static_cast<const std::byte*>(input);
  a.result = wire;
  a.elements = elements;
  a.aligned = is_aligned(input);
  return start_codec(*queue, encode_kernel(format, type), a, error);
}

bool decode(Queue* queue, WireFormat format, ElementType type, const std::byte* wire, std::size_t elements,
            void* output, Error& error) noexcept {
  device::CodecArguments a;
  a.wire[0] = wire;
  a.output = static_cast<std::byte*>(output);
  a.elements = elements;
  a.aligned = is_aligned(output);
  return start_codec(*queue, decode_kernel(format, type), a, error);
}

bool reduce(Queue* queue, WireFormat format, ElementType type, const std::byte* const* wires, std::size_t count,
            std::size_t elements, ReduceOp op, std::byte* result, Error& error) noexcept {
  if (count < 1 || count > static_cast<std::size_t>(max_peers) || op == ReduceOp::prod)
    return refuse("no codec reduces so many wires so", error);
  device::CodecArguments a;
  std::copy_n(wires, count, a.wire);
  a.result = result;
  a.elements = elements;
  a.count = static_cast<int>(count);
  a.op = op;
  return start_codec(*queue, reduce_wires_kernel(format, type), a, error);
}

bool reduce_vectors(Queue* queue, DataType type, const std::byte* const* vectors, std::size_t count,
                    std::size_t elements, ReduceOp op, std::byte* result, Error& error) noexcept {
  const void* kernel = reduce_vectors_kernel(type);
  if (count < 1 || count > static_cast<std::size_t>(max_peers) || kernel == nullptr)
    return refuse("no kernel reduces so many vectors of this type", error);
  device::CodecArguments a;
  std::copy_n(vectors, count, a.wire);
  a.result = result;
  a.rows = quotient_up(elements * size_of(type), codec::wire_row_bytes);
  a.count = static_cast<int>(count);
  a.op = op;
  return start_rows(*queue, kernel, a, error);
}

bool launch_ghost(Queue* queue, Error& error) noexcept {
  device::GhostArguments a;
  return start_kernel(*queue, ghost_kernel(), Grid{.blocks = 1, .threads = 32}, a, error);
}

}  // namespace airamp::gpu::runtime
