// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/path_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace airamp::report_page {
namespace {

TEST(PathTime, AddsUpByPathLongestFirst) {
  RunReport report;
  report.traffic = {{.path = "native", .calls = 1, .bytes = 10, .seconds = 1},
                    {.path = "mpi-two-shot", .calls = 2, .bytes = 20, .seconds = 2},
                    {.path = "native", .calls = 3, .bytes = 30, .seconds = 3},
                    {.path = "native", .calls = 4, .bytes = 40, .seconds = std::nan("")}};
  const std::vector<PathTime> times = path_times(report);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].path, "native");
  EXPECT_EQ(times[0].calls, 8U);
  EXPECT_EQ(times[0].bytes, 80);
  EXPECT_EQ(times[0].seconds, 4);
  EXPECT_EQ(times[1].path, "mpi-two-shot");
  EXPECT_EQ(collective_seconds(report), 6);
}

TEST(PathTime, TakesTuningOutOfNative) {
  RunReport report;
  report.traffic = {{.path = "native", .seconds = 5}};
  report.tuning_seconds = 2;
  report.tuning_calls = 9;
  const std::vector<PathTime> times = path_times(report);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].seconds, 3);
  EXPECT_EQ(times[1].path, tuning_path);
  EXPECT_EQ(times[1].seconds, 2);
  EXPECT_EQ(times[1].calls, 9U);
  EXPECT_EQ(collective_seconds(report), 5);
}

TEST(PathTime, TuningCannotTakeMoreThanThereIs) {
  RunReport report;
  report.traffic = {{.path = "native", .seconds = 5}};
  report.tuning_seconds = 7;
  EXPECT_EQ(collective_seconds(report), 5);
}

}  // namespace
}  // namespace airamp::report_page
