// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include "apps/airamp/doctor/checks/checks.hpp"

namespace airamp::doctor {
namespace {

/// /sys/class/net/NAME/type, as <linux/if_arp.h> numbers them.
constexpr std::int64_t ethernet = 1;
/// From this speed on, in Mbit/s, frames of 1500 bytes cost much of a processor.
constexpr std::int64_t fast = 10000;
constexpr std::int64_t large_frames = 9000;

void add_interface(const System& system, const std::string& name, Findings& findings) {
  const std::string folder = "/sys/class/net/" + name;
  // What has no device is made by software: bridges, containers' pairs, the loopback.
  if (!system.exists(folder + "/device") || system.text(folder + "/operstate") != "up") return;
  const std::int64_t mtu = system.number(folder + "/mtu").value_or(0);
  const std::int64_t speed = system.number(folder + "/speed").value_or(-1);
  const std::string found = name + ": MTU " + std::to_string(mtu) +
                            (speed > 0 ? ", " + std::to_string(speed) + " Mbit/s" : ", of unknown speed");
  if (system.number(folder + "/type") == ethernet && speed >= fast && mtu < large_frames) {
    findings.push_back({Verdict::worth_knowing, found + ": small frames for its speed",
                        "If the switches take large frames: ip link set " + name + " mtu 9000, on every host."});
    return;
  }
  findings.push_back({Verdict::good, found, ""});
}

Finding port_finding(const System& system, const std::string& card, const std::string& port) {
  const std::string folder = "/sys/class/infiniband/" + card + "/ports/" + port;
  const std::string state = system.text(folder + "/state").value_or("");  // "4: ACTIVE"
  const std::string found = card + ", port " + port + ": " +
                            system.text(folder + "/rate").value_or("of unknown speed") + ", " +
                            (state.empty() ? "in an unknown state" : state.substr(state.find(' ') + 1));
  if (state.ends_with("ACTIVE")) return {Verdict::good, found, ""};
  return {Verdict::worth_knowing, found + ": MPI libraries do without it",
          "Connect it, or look at the subnet manager (ibstat, opensm)."};
}

}  // namespace

Findings check_network(const Subject& subject) {
  Findings findings;
  for (const std::string& name : subject.system.entries("/sys/class/infiniband")) {
    for (const std::string& port : subject.system.entries("/sys/class/infiniband/" + name + "/ports")) {
      findings.push_back(port_finding(subject.system, name, port));
    }
  }
  for (const std::string& name : subject.system.entries("/sys/class/net")) {
    add_interface(subject.system, name, findings);
  }
  if (findings.empty()) findings.push_back({Verdict::not_known, "there is no network card that is up", ""});
  return findings;
}

}  // namespace airamp::doctor
