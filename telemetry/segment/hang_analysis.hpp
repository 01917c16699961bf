// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// Why a job stands still, or stood still when it died.
struct HangReport {
  enum class Kind {
    stopped,                  ///< a rank that others wait for is stopped or gone
    missing,                  ///< ranks have not entered what others wait in
    different_communicators,  ///< ranks wait for each other in collectives of different communicators
    different_functions,      ///< ranks call different functions as the same collective of a communicator
    everybody_inside          ///< nobody is missing: nothing to blame a rank for
  };

  struct Finding {
    Kind kind{};
    std::string communicator;  ///< name
    std::uint64_t key = 0;
    std::string function;
    std::uint64_t sequence = 0;
    double waited_seconds = 0;  ///< by whoever waits longest; in a dead job until the last that is known of any rank
    std::vector<int> waiting;
    std::vector<int> culprits;  ///< empty: none can be named
    std::string text;           ///< a sentence
  };

  bool dead = false;               ///< no rank runs any more
  std::vector<Finding> findings;   ///< the likeliest first
  std::vector<std::string> notes;  ///< what limits the analysis
};

/// The name of a kind: "stopped", "missing", "different-communicators", ...
std::string to_string(HangReport::Kind kind);

/// Compares the ranks of one job. In a running job, whoever waits less than `patience_seconds` is not yet taken for
/// stuck, unless a rank that it waits for is stopped or gone. May throw std::bad_alloc.
HangReport analyse_hang(const std::vector<RankSnapshot>& ranks, double patience_seconds);

}  // namespace airamp::telemetry
