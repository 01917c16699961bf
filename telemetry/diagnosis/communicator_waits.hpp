// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// A communicator in whose collectives ranks are, and who is not there: seen over all ranks of a job. Ranks are those
/// of MPI_COMM_WORLD.
struct CommunicatorWait {
  std::uint64_t key = 0;
  std::string name;
  int size = 0;
  std::map<int, std::uint64_t> entered;  ///< member that is known -> collectives that it has entered

  std::uint64_t sequence = 0;         ///< the first that ranks wait in
  double since_seconds = 0;           ///< when the first of them entered
  std::map<int, std::string> inside;  ///< rank that waits in it -> function
  std::map<int, std::string> called;  ///< the same, and those that have left it and are remembered
  std::vector<int> missing;           ///< members that have not entered it
  int unknown_members = 0;            ///< members of which it is not known which ranks they are
  /// Ranks that are known and never used the communicator: at least `missing_candidates` of them are members that have
  /// not entered it. Empty if all unknown members may be ranks of which nothing is known.
  std::vector<int> candidates;
  int missing_candidates = 0;
};

/// All communicators that some rank is inside of, by key. Ranks that are `unable` to go on do not wait: what they are
/// inside of is not what keeps the others.
std::map<std::uint64_t, CommunicatorWait> communicator_waits(const std::vector<RankSnapshot>& ranks,
                                                             const std::set<int>& unable);

}  // namespace airamp::telemetry
