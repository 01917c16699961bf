// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "telemetry/diagnosis/communicator_waits.hpp"
#include "telemetry/diagnosis/hang_analysis.hpp"
#include "telemetry/diagnosis/hang_words.hpp"

namespace airamp::telemetry {

/// In what the ranks of a dead job were, none of them missing.
std::string last_call_text(const CommunicatorWait& wait);

/// The sentence of a finding about ranks that others wait for.
std::string hang_text(const HangReport::Finding& finding, const CommunicatorWait& wait, const KnownRanks& ranks,
                      bool dead_job);

}  // namespace airamp::telemetry
