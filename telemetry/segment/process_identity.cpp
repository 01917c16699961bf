// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/process_identity.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/file_start.hpp"

namespace airamp::telemetry {

ProcessSpace own_process_space() {
  ProcessSpace space;
  const auto boot = base::read_start<64>("/proc/sys/kernel/random/boot_id");
  space.boot.assign(boot.data(), std::strcspn(boot.data(), "\n"));
  struct stat file {};
  if (stat("/proc/self/ns/pid", &file) == 0) space.process_namespace = file.st_ino;
  return space;
}

ProcessState process_state(std::uint64_t process) noexcept {
  std::array<char, 48> path{};
  std::snprintf(path.data(), path.size(), "/proc/%llu/stat", static_cast<unsigned long long>(process));
  const auto text = base::read_start<1024>(path.data());
  // The name, in parentheses, may hold anything: the fields after it begin behind the last parenthesis.
  const char* field = std::strrchr(text.data(), ')');
  if (field == nullptr || field[1] != ' ') return {};
  ProcessState state{.letter = field[2]};
  // proc(5): the state is field 3, the start time field 22.
  field += 2;
  for (int number = 3; number < 22; ++number) {
    field = std::strchr(field, ' ');
    if (field == nullptr) return {};
    ++field;
  }
  state.start = std::strtoull(field, nullptr, 10);
  return state;
}

}  // namespace airamp::telemetry
