// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace airamp::telemetry {

/// What tells this machine's processes from those of other boots, hosts and containers.
struct ProcessSpace {
  std::string boot;                     ///< /proc/sys/kernel/random/boot_id
  std::uint64_t process_namespace = 0;  ///< inode of the pid namespace
  bool operator==(const ProcessSpace&) const = default;
};

/// This process's space; empty fields where /proc does not say.
ProcessSpace own_process_space();

/// What /proc says about a process.
struct ProcessState {
  char letter = 0;          ///< as in /proc/PID/stat, "R", "S", "D", "T", "Z" ...; 0: there is no such process
  std::uint64_t start = 0;  ///< clock ticks since boot

  bool runs() const { return letter != 0 && letter != 'Z' && letter != 'X'; }
};

/// Looks at one process of this space. Never throws.
ProcessState process_state(std::uint64_t process) noexcept;

}  // namespace airamp::telemetry
