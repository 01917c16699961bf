// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace airamp::config {

/// One value of a configuration file or of the environment, with the line where it stands (from 1; 0 outside files).
struct Value {
  enum class Shape { text, list, map };
  Shape shape = Shape::text;
  int line = 0;
  std::string text;          ///< of a text
  std::vector<Value> keys;   ///< of a map: the key of each item
  std::vector<Value> items;  ///< of a list or map
};

/// What a value is, for a message: "a list", "a map", "no value" or "the single value 'TEXT'".
std::string shape_name(const Value& value);

/// What is wrong, and on which line (0: the whole).
struct Problem {
  int line = 0;
  std::string what;
};

struct YamlFile {
  Value settings;                 ///< a map; empty if there are problems
  std::vector<Problem> problems;  ///< malformed YAML, or YAML that is not one map
};

/// Reads YAML text that must be one map, or nothing. Keys may be repeated: that is for the caller to judge.
/// Throws std::bad_alloc.
YamlFile read_yaml(std::string_view text);

}  // namespace airamp::config
