// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// How long a job has run, as far as that can be known: the end of one that was killed is its last sign.
struct RunningTime {
  enum class Until : std::uint8_t {
    now,
    end,
    last_sign,  ///< whether it still runs cannot be seen from here
  };
  Until until = Until::now;
  double seconds = 0;
};

/// Of a job's ranks, of which there must be one; from the start of the first one on.
RunningTime running_time(std::span<const RankSnapshot* const> ranks);

}  // namespace airamp::telemetry
