// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"

namespace airamp::config {

/// Where environment variables come from. Tests pass their own.
struct Environment {
  /// The value of a variable; empty optional if it is not set.
  std::function<std::optional<std::string>(const std::string& name)> value;
  /// The names of all variables, in any order; misspelt AIRAMP_* variables are found among them.
  std::function<std::vector<std::string>()> names;
};

/// The process's environment. Not to be read while another thread changes it.
Environment process_environment();

/// An environment of exactly these variables.
Environment fixed_environment(std::map<std::string, std::string> variables);

/// The configuration file of the whole system.
inline constexpr const char* system_configuration_file = "/etc/airamp.conf";

/// Settings and how they came about.
struct Loaded {
  Settings settings;  ///< defaults, then the file, then the environment; meaningful only if `errors` is empty
  /// For every key: "default", "FILE:LINE" or "environment variable NAME".
  std::map<std::string, std::string> origins;
  /// One complete message per mistake, "FILE:LINE: key: what is wrong; what is allowed", in the order found. If there
  /// is any, AIRamp must stay off: a typo must never silently change a simulation.
  std::vector<std::string> errors;
  std::string file;  ///< the configuration file that was read; empty if there was none
};

/// Reads the configuration file (AIRAMP_CONFIG, else ~/.config/airamp/airamp.conf, else /etc/airamp.conf; a file named
/// by AIRAMP_CONFIG must exist, the others may be missing) and the AIRAMP_* environment variables. An AIRAMP_* variable
/// that is not a setting is an error as an unknown key is, with the closest known name in the message; AIRAMP_CONFIG,
/// AIRAMP_HOME and names that start with AIRAMP_TEST_ are accepted. Tests pass a `system_file` of their own. Throws
/// nothing but std::bad_alloc. Thread-safe if `environment` is.
Loaded load(const Environment& environment, const std::string& system_file = system_configuration_file);

/// One line "key: value" per setting, in the order of the struct: a valid configuration file that `parse_text` reads
/// back to an equal Settings. Used to hand rank 0's settings to the other ranks and to print them.
std::string to_text(const Settings& settings);

/// Parses configuration text. `name` stands for the file in messages. The result's origins are "NAME:LINE".
Loaded parse_text(std::string_view text, const std::string& name);

/// What is wrong with `text` as the value of the setting `key`, and what is allowed; empty if nothing is. Reads `text`
/// as it would the setting's environment variable. A `key` that has no environment variable is wrong with any text.
std::string check_value(std::string_view key, std::string_view text);

/// One setting, for `--help`, documentation and command-line options.
struct SettingInfo {
  std::string key;           ///< e.g. "min_bytes"
  std::string variable;      ///< e.g. "AIRAMP_MIN_BYTES"; empty for settings of the file alone
  std::string allowed;       ///< e.g. "0 to 1024G; binary suffixes K, M, G"
  std::string default_text;  ///< as `to_text` writes it, e.g. "1M"
  std::string help;          ///< one or two sentences
  bool is_boolean = false;   ///< a switch: its values are true and false
};

/// All settings in the order of the struct.
const std::vector<SettingInfo>& setting_infos();

/// The text form of an enumerator, e.g. "mxfp8-e4m3".
std::string_view to_string(Force force);
std::string_view to_string(LogLevel level);
std::string_view to_string(HalfFormat format);

}  // namespace airamp::config
