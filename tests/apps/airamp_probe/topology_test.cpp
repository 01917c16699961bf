// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace airamp::probe {
namespace {

using testing::ElementsAre;

/// Two packages of two cores each. In the first an NVIDIA GPU and an InfiniBand card are behind one switch, an Ethernet
/// card and the board's own display elsewhere; in the second there is an AMD GPU.
const std::string two_packages = std::string(AIRAMP_TOPOLOGIES) + "/two_packages.xml";

class TopologyTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string trouble = ask_topology().trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  }
};

TEST_F(TopologyTest, NearestToEachGpu) {
  const Topology topology = ask_topology(two_packages);
  EXPECT_EQ(topology.trouble, "");
  EXPECT_EQ(topology.numa_nodes, 2);
  ASSERT_EQ(topology.gpus.size(), 2U);
  EXPECT_EQ(topology.gpus[0].address, "0000:17:00.0");
  EXPECT_EQ(topology.gpus[0].cpus, "0-1");
  EXPECT_EQ(topology.gpus[0].numa_nodes, "0");
  EXPECT_THAT(topology.gpus[0].nics, ElementsAre("ib0", "mlx5_0"));
}

TEST_F(TopologyTest, CardsOfAnotherPackageAreEquallyFar) {
  const Topology topology = ask_topology(two_packages);
  ASSERT_EQ(topology.gpus.size(), 2U);
  EXPECT_EQ(topology.gpus[1].address, "0000:65:00.0");
  EXPECT_EQ(topology.gpus[1].cpus, "2-3");
  EXPECT_EQ(topology.gpus[1].numa_nodes, "1");
  EXPECT_THAT(topology.gpus[1].nics, ElementsAre("eth0", "ib0", "mlx5_0"));
}

TEST_F(TopologyTest, WhatCannotBeReadIsSaid) {
  EXPECT_NE(ask_topology("/nowhere.xml").trouble.find("/nowhere.xml"), std::string::npos);
}

}  // namespace
}  // namespace airamp::probe
