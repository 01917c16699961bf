// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/sample_set.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace airamp::telemetry {
namespace {

TEST(SampleSet, an_empty_scrape_has_no_families) {
  EXPECT_EQ(SampleSet().to_text(Exposition::prometheus_text), "");
  EXPECT_EQ(SampleSet().to_text(Exposition::openmetrics), "# EOF\n");
}

TEST(SampleSet, a_counter_is_named_with_total_where_the_format_wants_it) {
  SampleSet samples;
  samples.add(Metric::tuning, {{"rank", "3"}}, 0.25);
  samples.add(Metric::tuning, {{"rank", "4"}}, 2.0);
  EXPECT_EQ(samples.to_text(Exposition::openmetrics),
            "# TYPE airamp_tuning_seconds counter\n"
            "# UNIT airamp_tuning_seconds seconds\n"
            "# HELP airamp_tuning_seconds Time that measuring took beyond the native calls.\n"
            "airamp_tuning_seconds_total{rank=\"3\"} 0.25\n"
            "airamp_tuning_seconds_total{rank=\"4\"} 2\n"
            "# EOF\n");
  EXPECT_EQ(samples.to_text(Exposition::prometheus_text),
            "# TYPE airamp_tuning_seconds_total counter\n"
            "# HELP airamp_tuning_seconds_total Time that measuring took beyond the native calls.\n"
            "airamp_tuning_seconds_total{rank=\"3\"} 0.25\n"
            "airamp_tuning_seconds_total{rank=\"4\"} 2\n");
}

TEST(SampleSet, info_and_stateset_are_gauges_in_the_text_format) {
  SampleSet samples;
  samples.add(Metric::info, {{"version", "1"}}, std::uint64_t{1});
  samples.add_states(Metric::pola_state, {{"nranks", "2"}}, std::array<std::string_view, 2>{"off", "locked"},
                     std::array{false, true});
  const std::string sample_lines =
      "airamp_pola_state{nranks=\"2\",airamp_pola_state=\"off\"} 0\n"
      "airamp_pola_state{nranks=\"2\",airamp_pola_state=\"locked\"} 1\n";
  EXPECT_EQ(samples.to_text(Exposition::openmetrics),
            "# TYPE airamp info\n"
            "# HELP airamp What the job's ranks on this host run; always 1.\n"
            "airamp_info{version=\"1\"} 1\n"
            "# TYPE airamp_pola_state stateset\n"
            "# HELP airamp_pola_state State of the Pattern of Life Analysis of a communicator.\n" +
                sample_lines + "# EOF\n");
  EXPECT_EQ(samples.to_text(Exposition::prometheus_text),
            "# TYPE airamp_info gauge\n"
            "# HELP airamp_info What the job's ranks on this host run; always 1.\n"
            "airamp_info{version=\"1\"} 1\n"
            "# TYPE airamp_pola_state gauge\n"
            "# HELP airamp_pola_state State of the Pattern of Life Analysis of a communicator.\n" +
                sample_lines);
}

TEST(SampleSet, a_histogram_is_cumulative) {
  std::array<std::uint64_t, latency_buckets> counts{};
  counts[0] = 5;
  counts[2] = 7;
  counts[latency_buckets - 1] = 1;
  SampleSet samples;
  samples.add_histogram(Metric::collective_duration, {{"path", "native"}}, counts, 20.5);
  const std::string text = samples.to_text(Exposition::openmetrics);
  const std::string name = "\nairamp_collective_duration_seconds";
  EXPECT_THAT(text, testing::HasSubstr(name + "_bucket{path=\"native\",le=\"2.56e-07\"} 5" + name +
                                       "_bucket{path=\"native\",le=\"5.12e-07\"} 5" + name +
                                       "_bucket{path=\"native\",le=\"1.024e-06\"} 12" + name));
  // 256 ns * 2^26, the last bound
  EXPECT_THAT(text, testing::HasSubstr(name + "_bucket{path=\"native\",le=\"17.179869184\"} 12" + name +
                                       "_bucket{path=\"native\",le=\"+Inf\"} 13" + name + "_sum{path=\"native\"} 20.5" +
                                       name + "_count{path=\"native\"} 13\n"));
}

TEST(SampleSet, numbers_keep_their_value) {
  SampleSet samples;
  samples.add(Metric::agreements, {}, std::numeric_limits<std::uint64_t>::max());
  samples.add(Metric::speedup, {{"a", "1"}}, 0.1);
  samples.add(Metric::speedup, {{"a", "2"}}, std::numeric_limits<double>::infinity());
  samples.add(Metric::speedup, {{"a", "3"}}, 1e-300);
  samples.add(Metric::speedup, {{"a", "4"}}, std::nan(""));
  const std::string text = samples.to_text(Exposition::prometheus_text);
  EXPECT_THAT(text, testing::HasSubstr("\nairamp_agreements_total 18446744073709551615\n"));
  EXPECT_THAT(text, testing::HasSubstr("\nairamp_speedup_ratio{a=\"1\"} 0.1\nairamp_speedup_ratio{a=\"2\"} +Inf\n"
                                       "airamp_speedup_ratio{a=\"3\"} 1e-300\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("a=\"4\""))) << "NaN: not measured, no sample";
}

TEST(Labels, values_are_escaped) {
  EXPECT_EQ(Labels({{"a", "x\\y\"z\nend"}, {"b", ""}}).text(), "a=\"x\\\\y\\\"z\\nend\",b=\"\"");
}

TEST(MetricFamilies, names_follow_the_conventions) {
  for (const MetricFamily& family : metric_families()) {
    const std::string name(family.name);
    EXPECT_THAT(name, testing::MatchesRegex("airamp(_[a-z]+)*"));
    EXPECT_FALSE(family.name.ends_with("_total") || family.name.ends_with("_info")) << name;
    EXPECT_TRUE(family.unit.empty() || name.ends_with(fmt::format("_{}", family.unit))) << name;
    EXPECT_TRUE(family.help.ends_with('.')) << name;
    EXPECT_EQ(family.help.find_first_of("\\\"\n"), std::string_view::npos) << name << ": needs an escape";
  }
}

}  // namespace
}  // namespace airamp::telemetry
