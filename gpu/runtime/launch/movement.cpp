// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>

#include "gpu/device/kernel_limits.hpp"
#include "gpu/runtime/kernels.hpp"
#include "gpu/runtime/launch/patterns.hpp"
#include "gpu/runtime/launch/ring.hpp"

namespace airamp::gpu::runtime {

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
  return start_collective(queue, c, kernel, spread(a.ring.channels, c.multiprocessors, max_warps), a, error);
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
  return start_collective(queue, c, kernel, spread(a.ring.channels, c.multiprocessors, max_warps), a, error);
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
  return start_collective(queue, c, kernel, spread(a.ring.channels, c.multiprocessors, device::general_warps), a,
                          error);
}

}  // namespace airamp::gpu::runtime
