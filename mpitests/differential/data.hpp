// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "mpitests/differential/call.hpp"

namespace airamp::differential {

/// Writes what the rank `world_rank` contributes to a call, `count` elements. Every rank can produce every other rank's
/// contribution, and so the truth.
void write_contribution(const Call& call, int world_rank, std::size_t count, std::byte* data);

}  // namespace airamp::differential
