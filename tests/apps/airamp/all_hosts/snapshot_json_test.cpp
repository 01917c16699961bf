// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/all_hosts/snapshot_json.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/airamp/rank_table.hpp"
#include "telemetry/diagnosis/hang_analysis.hpp"
#include "tests/telemetry/openmetrics/synthetic_job.hpp"

namespace airamp::command_line {
namespace {

using telemetry::RankSnapshot;

/// As it arrives on another host.
std::optional<RankSnapshot> sent(const RankSnapshot& rank) {
  return snapshot_of(nlohmann::json::parse(snapshot_json(rank).dump(-1, ' ', true)));
}

TEST(SnapshotJson, SaysTheSameOnAnotherHost) {
  std::vector<RankSnapshot> ranks = telemetry::make_job("job", 4);
  ranks[2].process_state = 'T';
  ranks[3].frozen = true;
  ranks[1].program = "l\xc3\xb6ser";
  std::vector<RankSnapshot> there;
  for (const RankSnapshot& rank : ranks) there.push_back(sent(rank).value());
  EXPECT_EQ(rank_table("job", there), rank_table("job", ranks));
  EXPECT_EQ(rank_json("job", there), rank_json("job", ranks));
  EXPECT_EQ(straggler_json(there), straggler_json(ranks));
  const telemetry::HangReport here = telemetry::analyse_hang(ranks, 0);
  const telemetry::HangReport report = telemetry::analyse_hang(there, 0);
  ASSERT_FALSE(here.findings.empty());
  ASSERT_EQ(report.findings.size(), here.findings.size());
  for (std::size_t i = 0; i < here.findings.size(); ++i) EXPECT_EQ(report.findings[i].text, here.findings[i].text);
}

TEST(SnapshotJson, KeepsWhatWasNotMeasured) {
  RankSnapshot rank = telemetry::make_job("job", 1).front();
  rank.communicators[0].lateness_seconds = std::nan("");
  EXPECT_TRUE(std::isnan(sent(rank).value().communicators[0].lateness_seconds));
}

TEST(SnapshotJson, RefusesWhatIsNone) {
  const nlohmann::json good = snapshot_json(telemetry::make_job("job", 1).front());
  for (const nlohmann::json& wrong : {nlohmann::json(), nlohmann::json::array(), nlohmann::json::object()}) {
    EXPECT_FALSE(snapshot_of(wrong)) << wrong;
  }
  nlohmann::json json = good;
  json["rank"] = "zero";
  EXPECT_FALSE(snapshot_of(json));
  json = good;
  json["flights"][0]["communicator"] = json["communicators"].size();
  EXPECT_FALSE(snapshot_of(json)) << "a collective of a communicator that is not there";
  EXPECT_TRUE(snapshot_of(good));
}

}  // namespace
}  // namespace airamp::command_line
