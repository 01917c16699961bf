// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "config/load.hpp"

namespace airamp::config {

/// The configuration file of a job.
struct ConfigurationFile {
  std::string name;                  ///< empty if there is none
  std::string text;                  ///< its content
  std::optional<std::string> error;  ///< a complete message if the file is there, or must be, but cannot be used
};

/// The largest file that is read, in bytes.
inline constexpr std::size_t largest_configuration_file = std::size_t{1} << 20U;

/// Finds and reads the file that AIRAMP_CONFIG names, else ~/.config/airamp/airamp.conf, else `system_file`.
ConfigurationFile find_configuration_file(const Environment& environment, const std::string& system_file);

}  // namespace airamp::config
