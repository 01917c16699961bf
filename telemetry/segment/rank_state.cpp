// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/rank_state.hpp"

namespace airamp::telemetry {

RankState rank_state(const RankSnapshot& rank) noexcept {
  if (rank.runs()) {
    if (rank.process_state == 'T' || rank.process_state == 't') return RankState::stopped;
    if (rank.frozen) return RankState::frozen;
  }
  if (rank.finalized) return RankState::finalized;
  if (!rank.observable) return RankState::unknown;
  if (!rank.alive) return RankState::gone;
  return rank.swapped_bytes > rank.resident_bytes ? RankState::swapped_out : RankState::running;
}

std::string_view to_string(RankState state) noexcept {
  switch (state) {
    case RankState::running:
      return "running";
    case RankState::stopped:
      return "stopped";
    case RankState::frozen:
      return "frozen";
    case RankState::swapped_out:
      return "swapped-out";
    case RankState::gone:
      return "gone";
    case RankState::finalized:
      return "finalized";
    case RankState::unknown:
      break;
  }
  return "unknown";
}

}  // namespace airamp::telemetry
