// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The fake's collective communication library: its communicators are memory that the processes of a host share, and its
// collectives those of peer memory.
#pragma once

#include <cstddef>

#include "gpu/backend.hpp"

namespace airamp::fake_gpu {

/// Memory of one communicator, whatever its size.
inline constexpr std::size_t ccl_memory_bytes = std::size_t{gpu::max_peers} << 18U;

/// Every process has a GPU of its own, but with FAKE_GPU_CCL=shared.
gpu::CclSite ccl_site();

/// A communicator is named by its memory.
gpu::CclId ccl_id(const gpu::ExportedMemory& memory);
gpu::ExportedMemory memory_of(const gpu::CclId& id);

/// The same collective over peer memory, in a communicator's memory.
gpu::PeerCollective over_peer_memory(const gpu::CclCollective& collective, std::byte* memory, int rank, int size);

}  // namespace airamp::fake_gpu
