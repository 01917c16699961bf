// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/ccl.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace airamp::fake_gpu {

gpu::CclSite ccl_site() {
  gpu::CclSite site{.version = 99999, .bus_id = {}};
  const char* const told = std::getenv("FAKE_GPU_CCL");
  const bool shared = told != nullptr && std::string_view(told) == "shared";
  std::snprintf(site.bus_id.data(), site.bus_id.size(), "%d", shared ? 0 : getpid());
  return site;
}

gpu::CclId ccl_id(const gpu::ExportedMemory& memory) {
  gpu::CclId id;
  std::copy(memory.bytes.begin(), memory.bytes.end(), id.bytes.begin());
  return id;
}

gpu::ExportedMemory memory_of(const gpu::CclId& id) {
  gpu::ExportedMemory memory;
  std::copy_n(id.bytes.begin(), memory.bytes.size(), memory.bytes.begin());
  return memory;
}

gpu::PeerCollective over_peer_memory(const gpu::CclCollective& collective, std::byte* memory, int rank, int size) {
  gpu::PeerCollective peer;
  peer.pattern = collective.pattern;
  peer.type = collective.type;
  peer.op = collective.op;
  peer.size = size;
  peer.root = collective.root;
  peer.elements = collective.elements;
  peer.rank = rank;
  peer.input = collective.input;
  peer.output = collective.output;
  peer.region_bytes = ccl_memory_bytes / gpu::max_peers;
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    peer.region[i] = memory + i * peer.region_bytes;
    if (collective.pattern == gpu::Pattern::allgather) {
      peer.blocks[i] = {.offset = i * collective.elements, .elements = collective.elements};
    }
  }
  return peer;
}

}  // namespace airamp::fake_gpu
