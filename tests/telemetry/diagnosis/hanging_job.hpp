// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "telemetry/diagnosis/hang_analysis.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// A made-up job whose ranks are between collectives, to be brought into a state that `airamp hang` has to explain.
class HangingJob {
 public:
  static constexpr double now = 1'800'000'000;  ///< 2027-01-15 08:00:00 UTC
  static constexpr double patience = 5;

  explicit HangingJob(int size) {
    for (int rank = 0; rank < size; ++rank) {
      ranks.push_back({.job = "job",
                       .host = "node" + std::to_string(rank / 2),
                       .rank = rank,
                       .size = size,
                       .process = 1000 + static_cast<std::uint64_t>(rank),
                       .alive = true,
                       .started_seconds = now - 3600,
                       .now_seconds = now,
                       .observable = true,
                       .process_state = 'S'});
      use(rank, 1, "MPI_COMM_WORLD", size, 10);
    }
  }

  /// A rank has entered so many collectives of a communicator.
  void use(int rank, std::uint64_t key, const std::string& name, int size, std::uint64_t collectives) {
    ranks[static_cast<std::size_t>(rank)].communicators.push_back(
        {.key = key, .name = name, .size = size, .collectives = collectives});
  }

  /// A rank enters the next collective of a communicator that it uses, so long ago; it left it at once if that is 0.
  void enter(int rank, std::uint64_t key, const std::string& function, double seconds) {
    add(rank, key, function, now - (seconds == 0 ? 100 : seconds), seconds == 0 ? now - 99 : 0);
  }

  /// A rank has entered the next collective and left it so long ago.
  void left(int rank, std::uint64_t key, const std::string& function, double seconds) {
    add(rank, key, function, now - seconds - 0.001, now - seconds);
  }

  RankSnapshot& operator[](int rank) { return ranks[static_cast<std::size_t>(rank)]; }

  HangReport analyse() const { return analyse_hang(ranks, patience); }

  std::vector<RankSnapshot> ranks;

 private:
  void add(int rank, std::uint64_t key, const std::string& function, double entered, double left) {
    RankSnapshot& r = ranks[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < r.communicators.size(); ++i) {
      if (r.communicators[i].key != key) continue;
      r.flights.push_back({.sequence = ++r.communicators[i].collectives,
                           .communicator = i,
                           .function = function,
                           .entered_seconds = entered,
                           .left_seconds = left});
    }
  }
};

}  // namespace airamp::telemetry
