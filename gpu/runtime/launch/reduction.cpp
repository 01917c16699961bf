// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>

#include "gpu/device/kernel_limits.hpp"
#include "gpu/runtime/kernels.hpp"
#include "gpu/runtime/launch/patterns.hpp"
#include "gpu/runtime/launch/ring.hpp"

namespace airamp::gpu::runtime {
namespace {

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
  const int rows = reduce_tile_rows(c.size, specialised, elements.per_row);
  const std::uint64_t tile = elements.per_row * static_cast<std::uint64_t>(rows);
  if (scatters(c))
    divide_by_results(c, tile, a);
  else
    divide_in_turn(c, tile, a);
  std::uint64_t tiles = 0;
  for (int r = 0; r < c.size; ++r) tiles = std::max(tiles, tiles_of(a, r));
  const int max_warps = device::reduce_warps(specialised ? c.size : 0, elements.per_row);
  return fill_ring(c, {tiles, c.size, rows, scatters(c) ? 1 : 2, elements.any_bits, max_warps}, a.ring, error);
}

}  // namespace

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
  const int max_warps = device::reduce_warps(specialised ? c.size : 0, elements.per_row);
  return start_collective(queue, c, kernel, spread(a.ring.channels, c.multiprocessors, max_warps), a, error);
}

}  // namespace airamp::gpu::runtime
