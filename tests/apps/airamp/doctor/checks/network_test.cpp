// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

void add_interface(MadeUpHost& host, const std::string& name, const std::string& mtu, const std::string& speed) {
  const std::string folder = "/sys/class/net/" + name;
  host.make_folder(folder + "/device");
  host.write(folder + "/operstate", "up\n");
  host.write(folder + "/type", "1\n");
  host.write(folder + "/mtu", mtu + "\n");
  host.write(folder + "/speed", speed + "\n");
}

TEST(NetworkCheckTest, SmallFramesOnAFastLink) {
  MadeUpHost host;
  add_interface(host, "eth0", "1500", "25000");
  expect_one(check_network(host.subject), Verdict::worth_knowing, "eth0: MTU 1500, 25000 Mbit/s");
}

TEST(NetworkCheckTest, InOrder) {
  for (const auto& [mtu, speed] : {std::pair{"9000", "100000"}, std::pair{"1500", "1000"}, std::pair{"1500", "-1"}}) {
    MadeUpHost host;
    add_interface(host, "eth0", mtu, speed);
    expect_one(check_network(host.subject), Verdict::good, std::string("MTU ") + mtu);
  }
}

TEST(NetworkCheckTest, OnlyHardwareThatIsUp) {
  MadeUpHost host;
  host.write("/sys/class/net/docker0/operstate", "up\n");
  add_interface(host, "eth1", "1500", "25000");
  host.write("/sys/class/net/eth1/operstate", "down\n");
  expect_one(check_network(host.subject), Verdict::not_known, "no network card");
}

TEST(NetworkCheckTest, PortsOfRdmaCards) {
  MadeUpHost host;
  const std::string port = "/sys/class/infiniband/mlx5_0/ports/1";
  host.write(port + "/rate", "200 Gb/sec (4X HDR)\n");
  host.write(port + "/state", "4: ACTIVE\n");
  expect_one(check_network(host.subject), Verdict::good, "mlx5_0, port 1: 200 Gb/sec (4X HDR), ACTIVE");
  host.write(port + "/state", "1: DOWN\n");
  expect_one(check_network(host.subject), Verdict::worth_knowing, "DOWN");
}

}  // namespace
}  // namespace airamp::doctor
