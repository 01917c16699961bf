// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// How well the calls of real codes are foreseen: the bounds that the engine's design was tuned for, and the comparison
// with simpler methods. tests/pola/traces/README.md says what was recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "apps/airamp/pola_replay/replay.hpp"
#include "pola/stream.hpp"
#include "pola/trace_reader.hpp"

namespace airamp::pola {
namespace {

std::vector<std::string> traces(bool of_all_ranks) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(AIRAMP_TRACE_FOLDER)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".airtrace") continue;
    if (of_all_ranks || name.find(".rank-") == std::string::npos) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(RecordedTraces, MostCallsAreForeseen) {
  double sum = 0;
  double covered = 0;
  const std::vector<std::string> paths = traces(false);
  ASSERT_GE(paths.size(), 6U);
  for (const std::string& path : paths) {
    const ReplayTotals one = totals(replay(path, {}, false), {});
    ASSERT_TRUE(one.accuracy().has_value()) << path;
    EXPECT_GE(*one.accuracy(), 0.85) << path;
    EXPECT_GE(one.coverage(), 0.5) << path;
    sum += *one.accuracy();
    covered += one.coverage();
  }
  EXPECT_GE(sum / static_cast<double>(paths.size()), 0.95);
  EXPECT_GE(covered / static_cast<double>(paths.size()), 0.85);
}

TEST(RecordedTraces, NoSimplerMethodForeseesMore) {
  std::map<std::string_view, double> right;
  const ReplayOptions options{.baselines = true};
  for (const std::string& path : traces(false)) {
    const ReplayTotals one = totals(replay(path, options, false), options);
    const auto events = static_cast<double>(one.events);
    right["PoLA"] += static_cast<double>(one.hits) / events;
    for (const Score& score : one.baselines) right[score.method] += static_cast<double>(score.right) / events;
  }
  ASSERT_EQ(right.size(), 4U);
  for (const auto& [method, sum] : right) EXPECT_LE(sum, right["PoLA"]) << method;
}

/// A call, and what its stream answered after it.
using Answer = std::tuple<Signature, Stream::State, std::size_t>;

/// All answers on the busiest communicator of all ranks. Each rank numbers communicators for itself.
std::vector<Answer> busiest(const std::string& path) {
  TraceReader reader(path);
  std::map<std::uint32_t, Stream> streams;
  std::map<std::uint32_t, std::vector<Answer>> answers;
  for (TraceEvent event; reader.next(event);) {
    Stream& stream = streams[event.communicator];
    stream.observe(signature_of(event));
    answers[event.communicator].emplace_back(signature_of(event), stream.state(), stream.period());
  }
  std::vector<Answer> most;
  for (const auto& [number, of_one] : answers) {
    if (reader.communicators()[number].size == reader.header().size && of_one.size() > most.size()) most = of_one;
  }
  return most;
}

TEST(RecordedTraces, AllRanksLockAtTheSameCall) {
  std::size_t compared = 0;
  for (const std::string& path : traces(true)) {
    const std::size_t suffix = path.find(".rank-");
    if (suffix == std::string::npos) continue;
    const std::vector<Answer> first = busiest(path.substr(0, suffix) + ".airtrace");
    const std::vector<Answer> other = busiest(path);
    // A trace may be cut off earlier than another.
    const std::size_t common = std::min(first.size(), other.size());
    if (common < 1000) continue;  // these ranks work on communicators of their own
    for (std::size_t i = 0; i < common; ++i) ASSERT_EQ(first[i], other[i]) << path << ", call " << i;
    ++compared;
  }
  EXPECT_GE(compared, 2U);
}

}  // namespace
}  // namespace airamp::pola
