// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/reason.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/chunking_rule.hpp"

namespace airamp::pmpi {

/// Whether collectives of a kind can be compressed at all.
constexpr bool is_compressible(Kind kind) {
  return kind == Kind::allreduce || kind == Kind::allgather || kind == Kind::allgatherv;
}

/// What of a call decides whether it may be compressed; equal on all ranks.
struct CompressionFacts {
  Kind kind;
  std::uint64_t bytes = 0;
  std::uint64_t min_bytes = 0;
  int ranks = 0;
  bool opted_in = false;
};

/// Why a call is not to be compressed, whatever its data are; `none` if it may be. Of several reasons the one that
/// would remain if the user opted in.
constexpr Reason compression_obstacle(const CompressionFacts& facts) {
  if (!is_compressible(facts.kind)) return Reason::collective_not_compressed;
  if (facts.bytes < facts.min_bytes) return Reason::below_min_bytes;
  if (facts.ranks > max_ranks) return Reason::too_many_ranks;
  return facts.opted_in ? Reason::none : Reason::compression_off;
}

}  // namespace airamp::pmpi
