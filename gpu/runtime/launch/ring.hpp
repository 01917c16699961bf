// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What all launches of collectives over peer memory have in common.
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/peer/layout.hpp"
#include "gpu/runtime/start_kernel.hpp"

namespace airamp::gpu::runtime {

inline bool is_aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

/// Says why a collective cannot be launched; false.
bool refuse(const char* reason, Error& error);

inline std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// What a collective's elements are to the kernels: their bytes, how many fill a row, and whether any bits are legal.
struct RowElements {
  std::uint64_t bytes;
  std::uint64_t per_row;
  bool any_bits = false;
};

RowElements reduced_elements(const PeerCollective& c);
/// Movement without loss is of bytes.
RowElements moved_elements(const PeerCollective& c);

/// Where the ranks' votes are in their regions.
std::uint32_t votes_offset(const PeerCollective& c);

/// Divides the ranks' regions into slots.
bool fill_ring(const PeerCollective& c, const RingNeeds& needs, device::Ring& ring, Error& error);

template <class Arguments>
bool start_collective(Queue& queue, const PeerCollective& c, const void* kernel, Grid grid, Arguments& a,
                      Error& error) {
  a.completion.is_local = c.is_local;
  const bool started = start_kernel(queue, kernel, grid, a, error);
  queue.words->number = queue.finished + 1;
  queue.is_counted = !started;
  return started;
}

}  // namespace airamp::gpu::runtime
