// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/soak/held.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace airamp::soak {
namespace {

long resident_bytes() {
  malloc_trim(0);  // what the C library keeps for later is no leak
  std::ifstream file("/proc/self/statm");
  long pages = 0;
  long resident = 0;
  file >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

long descriptors() {
  const std::filesystem::directory_iterator folder("/proc/self/fd");
  return std::distance(begin(folder), end(folder)) - 1;  // without the folder's own
}

long shared_bytes() {
  std::ifstream file("/proc/self/maps");
  long bytes = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.find(" /dev/shm/") == std::string::npos) continue;
    const std::size_t dash = line.find('-');
    bytes += static_cast<long>(std::stoull(line.substr(dash + 1), nullptr, 16) - std::stoull(line, nullptr, 16));
  }
  return bytes;
}

long counted(const char* name) {
  const auto count = reinterpret_cast<long (*)()>(dlsym(RTLD_DEFAULT, name));
  return count != nullptr ? count() : 0;
}

}  // namespace

std::array<long, held_count> held_now() {
  return {resident_bytes(),
          descriptors(),
          shared_bytes(),
          counted("soak_held_communicators"),
          counted("soak_held_requests"),
          counted("soak_held_groups")};
}

}  // namespace airamp::soak
