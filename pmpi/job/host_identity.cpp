// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/host_identity.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <functional>
#include <string>

#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

namespace {

/// Its name, and since when it runs.
std::string host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  return std::string(name.data()) + boot;
}

}  // namespace

std::uint64_t host_identity() {
  static const std::string own = host();  // asked for by every communicator that shares memory
  std::string identity = own;
  const int emulated = job().settings.ranks_per_host;
  if (emulated > 0) identity.append("#").append(std::to_string(job().rank / emulated));
  return std::hash<std::string>{}(identity);
}

}  // namespace airamp::pmpi
