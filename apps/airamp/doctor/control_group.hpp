// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/airamp/doctor/system.hpp"

namespace airamp::doctor {

/// What the control groups that a process is in allow it: the least of its own group and of all above it that can be
/// seen.
struct GroupLimits {
  std::optional<double> processors;     ///< seconds of processor time in a second; nothing: no limit
  std::optional<std::uint64_t> memory;  ///< bytes; nothing: no limit
};

/// Of version 1 and 2 (cgroups(7)), also where both are in use. `process` is a number or "self".
GroupLimits group_limits(const System& system, const std::string& process);

}  // namespace airamp::doctor
