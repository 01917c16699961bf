// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "gpu/device/kernel_limits.hpp"
#include "gpu/runtime/kernels.hpp"
#include "gpu/runtime/launch/patterns.hpp"
#include "gpu/runtime/launch/ring.hpp"

namespace airamp::gpu::runtime {

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
  return start_collective(queue, c, kernel, spread(a.ring.channels, c.multiprocessors, device::general_warps), a,
                          error);
}

}  // namespace airamp::gpu::runtime
