// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "gpu/device/kernel_limits.hpp"
#include "gpu/peer/geometry.hpp"
#include "gpu/runtime/kernels.hpp"
#include "gpu/runtime/launch/patterns.hpp"
#include "gpu/runtime/launch/ring.hpp"

namespace airamp::gpu::runtime {
namespace {

/// Of how many ranks, from rank 0 on, a rank's result is.
int one_shot_sources(const PeerCollective& c, int rank) {
  if (c.pattern == Pattern::reduce) return rank == c.root ? c.size : 0;
  if (c.pattern == Pattern::scan) return rank + 1;
  return c.pattern == Pattern::exscan ? rank : c.size;
}

/// Of this many rows a single block does. Its second turn takes less than the votes of several blocks, 2 to 3 us, of
/// which a single one has no need (start_gate.hpp).
constexpr std::uint64_t one_block_rows = 2 * device::one_block_warps;

Grid grid_of(std::uint64_t rows, int multiprocessors) {
  constexpr std::uint64_t warps = device::one_block_warps;
  if (rows <= one_block_rows) return {1, static_cast<std::uint32_t>(32 * std::clamp<std::uint64_t>(rows, 1, warps))};
  const std::uint64_t max_blocks = static_cast<std::uint64_t>(device::one_shot_blocks) * multiprocessors;
  return spread(std::min(rows, max_blocks * device::one_shot_warps), multiprocessors, device::one_shot_warps);
}

}  // namespace

bool launch_one_shot(Queue& queue, const PeerCollective& c, Error& error) {
  const RowElements elements = reduced_elements(c);
  const std::uint64_t rows = quotient_up(c.elements, elements.per_row);
  const bool in_one_block = c.pattern == Pattern::allreduce && rows <= one_block_rows;
  const void* kernel = in_one_block ? one_block_kernel(c.size, c.type) : one_shot_kernel(c.type);
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
  a.rows = static_cast<std::uint32_t>(rows);
  a.size = c.size;
  a.rank = c.rank;
  a.sources = one_shot_sources(c, c.rank);
  for (int r = 0; r < c.size; ++r)
    if (r != c.rank && c.rank < one_shot_sources(c, r)) a.readers |= 1u << r;
  a.op = c.op;
  a.input_aligned = is_aligned(c.input);
  a.output_aligned = is_aligned(c.output);
  return start_collective(queue, c, kernel, grid_of(rows, c.multiprocessors), a, error);
}

}  // namespace airamp::gpu::runtime
