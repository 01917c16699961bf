// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// What sentences about a hang are made of.

/// Rank -> what is known of it.
using KnownRanks = std::map<int, const RankSnapshot*>;

/// "12.3 s".
std::string duration_text(double seconds);

/// "2027-01-15 07:58:18 UTC", to be compared with logs; with microseconds "07:58:18.250000 UTC".
std::string time_of_day(double since_epoch, bool microseconds = false);

/// "MPI_Allreduce number 20 on 'MPI_COMM_WORLD'".
std::string call_text(const std::string& function, std::uint64_t sequence, const std::string& communicator);

/// The same of a rank's own collective.
std::string call_text(const RankSnapshot& rank, const RankSnapshot::Flight& flight);

/// "rank 3 (host x, pid y, stopped: state T in /proc)"; of a rank without a segment only its number.
std::string describe_rank(int rank, const KnownRanks& ranks, bool dead_job);

/// "rank 3 (...)", "rank 3 (...) and rank 4 (...)", or the bare numbers of many.
std::string describe_ranks(const std::vector<int>& numbers, const KnownRanks& ranks, bool dead_job);

}  // namespace airamp::telemetry
