// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using testing::Pair;

TEST(SystemTest, ReadsBelowItsRoot) {
  MadeUpHost host;
  host.write("/sys/thing", " 42 \n");
  EXPECT_THAT(host.subject.system.bytes("/sys/thing"), Optional(std::string(" 42 \n")));
  EXPECT_THAT(host.subject.system.text("/sys/thing"), Optional(std::string("42")));
  EXPECT_THAT(host.subject.system.number("/sys/thing"), Optional(42));
  EXPECT_TRUE(host.subject.system.exists("/sys/thing"));
}

TEST(SystemTest, WhatIsMissingIsNothing) {
  MadeUpHost host;
  const System& system = host.subject.system;
  EXPECT_EQ(system.bytes("/sys/none"), std::nullopt);
  EXPECT_EQ(system.number("/sys/none"), std::nullopt);
  EXPECT_EQ(system.link("/sys/none"), std::nullopt);
  EXPECT_THAT(system.entries("/sys/none"), IsEmpty());
  EXPECT_FALSE(system.exists("/sys/none"));
  EXPECT_THAT(system.processors_of("17"), IsEmpty());
}

TEST(SystemTest, NumberIsAllOfAFileOrNone) {
  MadeUpHost host;
  host.write("/sys/thing", "max");
  EXPECT_EQ(host.subject.system.number("/sys/thing"), std::nullopt);
  host.write("/sys/thing", "12 apples");
  EXPECT_EQ(host.subject.system.number("/sys/thing"), std::nullopt);
  host.write("/sys/thing", "-1");
  EXPECT_THAT(host.subject.system.number("/sys/thing"), Optional(-1));
}

TEST(SystemTest, ValueIsWhatFollowsAKey) {
  MadeUpHost host;
  host.write("/proc/thing", "First: 1\nSecond:\t 2 apples \nSecond: 3\n");
  EXPECT_THAT(host.subject.system.value("/proc/thing", "Second:"), Optional(std::string("2 apples")));
  EXPECT_EQ(host.subject.system.value("/proc/thing", "Third:"), std::nullopt);
}

TEST(SystemTest, EntriesAreSortedAndLinksEndInNames) {
  MadeUpHost host;
  host.write("/sys/folder/b", "");
  host.make_folder("/sys/folder/a");
  host.link("/sys/group", "../../kernel/iommu_groups/13");
  EXPECT_THAT(host.subject.system.entries("/sys/folder"), ElementsAre("a", "b"));
  EXPECT_THAT(host.subject.system.link("/sys/group"), Optional(std::string("13")));
}

TEST(SystemTest, ProcessorsOfProcessesAndNodes) {
  MadeUpHost host;
  host.bind("17", "1,4-5");
  host.write("/sys/devices/system/node/node10/cpulist", "4-5\n");
  host.write("/sys/devices/system/node/online", "0,10\n");
  EXPECT_THAT(host.subject.system.processors_of("17"), ElementsAre(1, 4, 5));
  EXPECT_THAT(host.subject.system.numa_nodes(), ElementsAre(Pair(0, ElementsAre(0, 1)), Pair(10, ElementsAre(4, 5))));
}

}  // namespace
}  // namespace airamp::doctor
