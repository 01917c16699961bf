// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/child_output.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace airamp::command_line {
namespace {

constexpr double long_enough = 60;

ChildOutput of_shell(const std::string& script, double seconds) {
  return output_of({"/bin/sh", "-c", script}, seconds);
}

TEST(ChildOutputTest, StandardOutputAlone) {
  const ChildOutput output = of_shell("echo out; echo err >&2; cat", long_enough);
  EXPECT_EQ(output.text, "out\n");
  EXPECT_TRUE(output.succeeded);
  EXPECT_FALSE(output.timed_out);
}

TEST(ChildOutputTest, MoreThanAPipeHolds) {
  const ChildOutput output = of_shell("dd if=/dev/zero bs=1024 count=1024 status=none", long_enough);
  EXPECT_EQ(output.text, std::string(std::size_t{1} << 20U, '\0'));
}

TEST(ChildOutputTest, Failures) {
  EXPECT_FALSE(of_shell("exit 3", long_enough).succeeded);
  EXPECT_FALSE(of_shell("kill -9 $$", long_enough).succeeded);
  EXPECT_FALSE(output_of({"/no/such/program"}, long_enough).succeeded);
}

TEST(ChildOutputTest, WhatDoesNotEndIsKilled) {
  const ChildOutput output = of_shell("echo begun; exec sleep 600", 1);
  EXPECT_TRUE(output.timed_out);
  EXPECT_FALSE(output.succeeded);
}

}  // namespace
}  // namespace airamp::command_line
