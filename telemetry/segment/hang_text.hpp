// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "telemetry/segment/communicator_waits.hpp"
#include "telemetry/segment/hang_analysis.hpp"

namespace airamp::telemetry {

/// "rank 3 (host x, pid y, stopped: state T in /proc)"; of a rank without a segment only its number.
std::string describe_rank(int rank, const std::map<int, const RankSnapshot*>& ranks, bool dead_job);

/// In what the ranks of a dead job were, none of them missing.
std::string last_call_text(const CommunicatorWait& wait);

/// The sentence of a finding.
std::string hang_text(const HangReport::Finding& finding, const CommunicatorWait& wait,
                      const std::map<int, const RankSnapshot*>& ranks, bool dead_job);

}  // namespace airamp::telemetry
