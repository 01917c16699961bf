// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/measuring_scratch.hpp"

#include <unistd.h>

#include <cstdio>

#include "config/find_line.hpp"

namespace airamp::pmpi {
namespace {

/// Bytes that the host can give without swapping: its page cache counts, of which most of the memory may consist. 0 if
/// the system does not say.
std::size_t available_bytes() {
  std::size_t kibibytes = 0;
  const bool found = config::find_line(
      "/proc/meminfo", [&](const char* line) { return std::sscanf(line, "MemAvailable: %zu kB", &kibibytes) == 1; });
  return found ? kibibytes * 1024 : 0;
}

}  // namespace

bool MeasuringScratch::affordable(std::size_t bytes) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 && bytes <= available_bytes() / 2 / static_cast<std::size_t>(processors);
}

}  // namespace airamp::pmpi
