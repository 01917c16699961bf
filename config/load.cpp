// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/load.hpp"

#include <algorithm>
#include <cstddef>

#include "base/closest_name.hpp"
#include "base/quoted_text.hpp"
#include "config/configuration_file.hpp"
#include "config/setting_table.hpp"
#include "config/yaml_file.hpp"

namespace airamp::config {
namespace {

constexpr std::string_view prefix = "AIRAMP_";
constexpr std::string_view test_prefix = "AIRAMP_TEST_";
constexpr std::string_view file_variable = "AIRAMP_CONFIG";
// Where AIRamp is installed: environment modules set it, and nothing here reads it.
constexpr std::string_view home_variable = "AIRAMP_HOME";

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// What an unknown name may have meant, or else all names there are.
std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string closest = base::closest_name(name, known);
  if (!closest.empty()) return "did you mean '" + closest + "'?";
  return "allowed: " + joined(known);
}

std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const Setting& setting : setting_table()) keys.push_back(setting.key);
  return keys;
}

std::vector<std::string> known_variables() {
  std::vector<std::string> names = {std::string(file_variable)};
  for (const Setting& setting : setting_table()) {
    if (!setting.variable.empty()) names.push_back(setting.variable);
  }
  return names;
}

std::string place(const std::string& name, int line) { return name + ":" + std::to_string(line); }

// Stores a value, or says what is wrong with it: "WHERE: what; allowed: ...", `where` being a function of the line.
template <typename Where>
void apply(const Setting& setting, const Value& value, const Where& where, Loaded& loaded) {
  for (const Problem& problem : setting.read(value, loaded.settings)) {
    loaded.errors.push_back(where(problem.line) + ": " + problem.what + "; allowed: " + setting.allowed);
  }
}

Loaded defaults() {
  Loaded loaded;
  for (const Setting& setting : setting_table()) loaded.origins[setting.key] = "default";
  return loaded;
}

void apply_text(std::string_view text, const std::string& name, Loaded& loaded) {
  const YamlFile file = read_yaml(text);
  for (const Problem& problem : file.problems) loaded.errors.push_back(place(name, problem.line) + ": " + problem.what);
  const std::vector<std::string> known = known_keys();
  std::map<std::string, int> first_lines;
  for (std::size_t i = 0; i < file.settings.items.size(); ++i) {
    const Value& key = file.settings.keys[i];
    const std::string here = place(name, key.line);
    if (key.shape != Value::Shape::text) {
      loaded.errors.push_back(here + ": a list or map as a key; expected are lines of the form 'key: value'");
      continue;
    }
    const Setting* setting = find_setting(key.text);
    if (setting == nullptr) {
      const std::string hint = suggestion(key.text, known);
      loaded.errors.push_back(here + ": unknown key " + base::message_quoted(key.text) + "; " + hint);
      continue;
    }
    const auto [first, is_new] = first_lines.emplace(key.text, key.line);
    if (!is_new) {
      loaded.errors.push_back(here + ": " + key.text + ": given twice, first on line " + std::to_string(first->second) +
                              "; allowed: each key once");
    }
    apply(
        *setting, file.settings.items[i], [&](int line) { return place(name, line) + ": " + setting->key; }, loaded);
    loaded.origins[setting->key] = here;
  }
}

Value value_of(std::string_view text) {
  Value value;
  value.text = text;
  return value;
}

void apply_environment(const Environment& environment, Loaded& loaded) {
  for (const Setting& setting : setting_table()) {
    if (setting.variable.empty()) continue;
    const std::optional<std::string> text = environment.value(setting.variable);
    if (!text) continue;
    const std::string origin = "environment variable " + setting.variable;
    apply(
        setting, value_of(*text), [&](int) { return origin; }, loaded);
    loaded.origins[setting.key] = origin;
  }
  const std::vector<std::string> known = known_variables();
  std::vector<std::string> names = environment.names();
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (!name.starts_with(prefix) || name.starts_with(test_prefix) || name == home_variable) continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    loaded.errors.push_back("unknown environment variable " + base::message_quoted(name) + "; " +
                            suggestion(name, known));
  }
}

}  // namespace

Loaded load(const Environment& environment, const std::string& system_file) {
  Loaded loaded = defaults();
  const ConfigurationFile file = find_configuration_file(environment, system_file);
  loaded.file = file.name;
  if (file.error) {
    loaded.errors.push_back(*file.error);
  } else {
    apply_text(file.text, file.name, loaded);
  }
  apply_environment(environment, loaded);
  return loaded;
}

Loaded parse_text(std::string_view text, const std::string& name) {
  Loaded loaded = defaults();
  loaded.file = name;
  apply_text(text, name, loaded);
  return loaded;
}

std::string check_value(std::string_view key, std::string_view text) {
  const Setting* setting = find_setting(key);
  if (setting == nullptr || setting->variable.empty()) return "can be set in a configuration file only";
  Settings settings;
  for (const Problem& problem : setting->read(value_of(text), settings)) {
    return problem.what + "; allowed: " + setting->allowed;
  }
  return {};
}

}  // namespace airamp::config
