// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/unsynchronized/posted_call.hpp"

#include <new>

#include "pmpi/decide/call.hpp"

namespace airamp::pmpi {

LocalFacts facts_of_posted(const CollectiveCall& collective, std::uint64_t bytes) {
  LocalFacts facts = collective.facts({.no_compression = Reason::none, .lossless = true});
  facts.memory = Memory::host;
  facts.bytes = bytes;
  return facts;
}

Shortcut* remember_posted(const CollectiveCall& collective, const LocalFacts& facts, CommunicatorState& state,
                          SignatureState& signature, std::size_t candidate) {
  try {
    const std::uint64_t bytes = has_blocks_of_any_length(collective.kind()) ? 0 : facts.bytes;
    Call call{.collective = collective, .state = state, .bytes = bytes, .no_compression = Reason::none};
    call.facts = facts;
    call.gated = &gated_calls_of(call);
    return remember_shortcut(call, &signature, candidate);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace airamp::pmpi
