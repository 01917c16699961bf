// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/hang_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <ctime>

#include "telemetry/diagnosis/rank_list.hpp"
#include "telemetry/segment/rank_state.hpp"

namespace airamp::telemetry {
namespace {

constexpr std::size_t max_described = 4;

std::string gibibytes(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GiB", static_cast<double>(bytes) / (1U << 30U));
  return text.data();
}

std::string running_text(const RankSnapshot& rank) {
  switch (rank.process_state) {
    case 'D':
      return "waiting for I/O: state D in /proc";
    case 'S':
      return "sleeping";
    default:
      return "running";
  }
}

std::string state_text(const RankSnapshot& rank, bool dead_job) {
  switch (rank_state(rank)) {
    case RankState::stopped:
      return rank.process_state == 't' ? "stopped by a debugger: state t in /proc" : "stopped: state T in /proc";
    case RankState::frozen:
      return "frozen: its cgroup is";
    case RankState::finalized:
      return "has called MPI_Finalize";
    case RankState::gone:
      if (dead_job) return "gone like all ranks";
      return rank.process_state == 'Z' ? "gone: its process has ended, state Z in /proc"
                                       : "gone: its process has ended";
    case RankState::swapped_out:
      return "swapped out: " + gibibytes(rank.swapped_bytes) + " of its memory, " + gibibytes(rank.resident_bytes) +
             " is resident";
    case RankState::unknown:
      return "state not known from here";
    case RankState::running:
      break;
  }
  return running_text(rank);
}

}  // namespace

std::string duration_text(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  return text.data();
}

std::string time_of_day(double since_epoch, bool microseconds) {
  const double moment = std::clamp(since_epoch, 0.0, 1e11);
  const auto time = static_cast<std::time_t>(moment);
  std::tm parts{};
  std::array<char, 40> text{};
  gmtime_r(&time, &parts);
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  std::string result = text.data();
  if (microseconds) {
    std::snprintf(text.data(), text.size(), ".%06d", static_cast<int>((moment - static_cast<double>(time)) * 1e6));
    result += text.data();
  }
  return result + " UTC";
}

std::string call_text(const std::string& function, std::uint64_t sequence, const std::string& communicator) {
  return function + " number " + std::to_string(sequence) + " on '" + communicator + "'";
}

std::string call_text(const RankSnapshot& rank, const RankSnapshot::Flight& flight) {
  return call_text(flight.function, flight.sequence, rank.communicators[flight.communicator].name);
}

std::string describe_rank(int rank, const KnownRanks& ranks, bool dead_job) {
  std::string text = "rank " + std::to_string(rank);
  const auto found = ranks.find(rank);
  if (found == ranks.end()) return text;
  const RankSnapshot& s = *found->second;
  return text + " (host " + s.host + ", pid " + std::to_string(s.process) + ", " + state_text(s, dead_job) + ")";
}

std::string describe_ranks(const std::vector<int>& numbers, const KnownRanks& ranks, bool dead_job) {
  if (numbers.size() > max_described) return rank_list(numbers);
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
    text += describe_rank(numbers[i], ranks, dead_job);
  }
  return text;
}

}  // namespace airamp::telemetry
