// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "config/yaml_file.hpp"

namespace airamp::config {

/// One setting: everything that is known about it. Reading, writing, help and documentation come from here.
struct Setting {
  std::string key;
  std::string variable;  ///< environment variable; empty for settings of the file alone
  std::string allowed;
  std::string help;
  bool is_boolean = false;
  /// Stores a value in the settings if nothing is wrong with it, and returns what is.
  std::function<std::vector<Problem>(const Value&, Settings&)> read;
  /// The value as YAML on one line.
  std::function<std::string(const Settings&)> write;
};

/// All settings in the order of the struct.
const std::vector<Setting>& setting_table();

/// The setting of this key; null if there is none.
const Setting* find_setting(std::string_view key);

}  // namespace airamp::config
