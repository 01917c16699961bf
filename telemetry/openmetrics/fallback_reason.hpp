// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// Why a signature is left to the MPI library, as one of a fixed set of words: "not_eligible", "not_acquired" (memory,
/// peer mappings and the like), "error_above_bound", "too_slow" or "imposed" (AIRAMP_FORCE). Empty if it is not, or is
/// still being measured.
std::string_view fallback_reason(const RankSnapshot::Decision& decision) noexcept;

}  // namespace airamp::telemetry
