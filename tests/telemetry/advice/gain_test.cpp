// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/gain.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace airamp::telemetry {
namespace {

Report::Signature signature(std::string path, std::uint64_t calls, std::uint64_t accelerated, double native,
                            double airamp) {
  return {.path = std::move(path),
          .calls = calls,
          .accelerated_calls = accelerated,
          .native_median_seconds = native,
          .airamp_median_seconds = airamp,
          .speedup = native / airamp,
          .relative_error = 0.01 * airamp};
}

TEST(Gain, IsTheDifferenceOfMediansTimesTheCalls) {
  Report report;
  report.signatures = {signature("mpi-two-shot", 110, 100, 5, 3), signature("two-level", 12, 10, 1, 2),
                       signature("native", 7, 0, 4, 4)};
  report.tuning_seconds = 20;
  const Gain gain = gain_of(report.signatures, report.traffic, report.tuning_seconds);
  EXPECT_EQ(gain.calls, 129U);
  EXPECT_EQ(gain.accelerated_calls, 110U);
  EXPECT_EQ(gain.estimated_calls, 110U);
  EXPECT_DOUBLE_EQ(gain.saved_seconds, 100 * 2 - 10 * 1);
  EXPECT_DOUBLE_EQ(gain.net_seconds(), 170);
  EXPECT_DOUBLE_EQ(gain.best_speedup, 5.0 / 3);
  EXPECT_DOUBLE_EQ(gain.largest_error, 0.03);  // native's 0.04 is of a path that is not used
}

TEST(Gain, LeavesOutWhatWasNotMeasured) {
  Report report;
  report.signatures = {signature("mpi-two-shot", 10, 10, std::nan(""), 3), signature("mpi-two-shot", 5, 4, 2, 1)};
  const Gain gain = gain_of(report.signatures, report.traffic, std::nan(""));
  EXPECT_EQ(gain.accelerated_calls, 14U);
  EXPECT_EQ(gain.estimated_calls, 4U);
  EXPECT_DOUBLE_EQ(gain.saved_seconds, 4);
  EXPECT_DOUBLE_EQ(gain.net_seconds(), 4);  // the time of tuning is not known
}

TEST(Gain, KnowsTheShareOfBytes) {
  Report report;
  EXPECT_TRUE(std::isnan(gain_of(report.signatures, report.traffic, report.tuning_seconds).accelerated_bytes));
  report.traffic = {
      {.path = "native", .bytes = 25}, {.path = "ccl", .bytes = 70}, {.path = "mpi-two-shot", .bytes = 5}};
  EXPECT_DOUBLE_EQ(gain_of(report.signatures, report.traffic, report.tuning_seconds).accelerated_bytes, 0.75);
}

}  // namespace
}  // namespace airamp::telemetry
