// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <optional>
#include <utility>

#include "base/quoted_text.hpp"
#include "config/enum_names.hpp"
#include "config/setting_kinds.hpp"

namespace airamp::config {
namespace {

constexpr std::size_t longest_type_name = 255;  // MPI_MAX_OBJECT_NAME is 128 at most in the libraries we know

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The items of a YAML list, or of a text that separates them by commas.
std::vector<Value> split(const Value& value) {
  if (value.shape == Value::Shape::list) return value.items;
  std::vector<Value> items;
  std::string_view rest = value.text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    Value item;
    item.line = value.line;
    item.text = trimmed(rest.substr(0, comma));
    items.push_back(std::move(item));
    if (more) rest.remove_prefix(comma + 1);
  }
  return items;
}

std::vector<Problem> read_lossy_types(const Value& value, unsigned& types) {
  if (value.shape == Value::Shape::map) return {{value.line, "a map where a list is expected"}};
  std::vector<Problem> problems;
  unsigned parsed = 0;
  for (const Value& item : split(value)) {
    const std::optional<LossyType> type =
        item.shape == Value::Shape::text ? find_enumerator<LossyType>(item.text) : std::nullopt;
    if (item.shape != Value::Shape::text) {
      problems.push_back({item.line, shape_name(item) + " where the name of a type is expected"});
    } else if (!type) {
      problems.push_back({item.line, base::message_quoted(item.text) + " is not a type that can be compressed"});
    } else if ((parsed & *type) != 0) {
      problems.push_back({item.line, base::message_quoted(item.text) + " is named twice"});
    } else {
      parsed |= *type;
    }
  }
  if (parsed == 0 && problems.empty()) problems.push_back({value.line, "the list is empty"});
  if (problems.empty()) types = parsed;
  return problems;
}

// What is wrong with one entry of the map of declared types; nothing if `types` now holds it.
std::string read_declared_type(const Value& key, const Value& value, std::map<std::string, HalfFormat>& types) {
  if (key.shape != Value::Shape::text) return shape_name(key) + " where a datatype name is expected";
  const std::string name = base::message_quoted(key.text);
  if (key.text.empty() || key.text.size() > longest_type_name || !base::is_printable_text(key.text)) {
    return name + " is not a datatype name; a name has 1 to 255 bytes and no control characters";
  }
  if (value.shape != Value::Shape::text) return name + " has " + shape_name(value) + " where a format is expected";
  const std::optional<HalfFormat> format = find_enumerator<HalfFormat>(value.text);
  if (!format) return name + " has the unknown format " + base::message_quoted(value.text);
  if (!types.emplace(key.text, *format).second) return name + " is declared twice";
  return {};
}

std::vector<Problem> read_declared_types(const Value& value, std::map<std::string, HalfFormat>& types) {
  if (value.shape != Value::Shape::map) return {{value.line, shape_name(value) + " where a map is expected"}};
  std::vector<Problem> problems;
  std::map<std::string, HalfFormat> parsed;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    std::string what = read_declared_type(value.keys[i], value.items[i], parsed);
    if (!what.empty()) problems.push_back({value.keys[i].line, std::move(what)});
  }
  if (problems.empty()) types = std::move(parsed);
  return problems;
}

}  // namespace

Setting lossy_types_setting(std::string key, unsigned Settings::*field, std::string help) {
  Setting setting;
  setting.variable = variable_of(key);
  setting.key = std::move(key);
  setting.allowed = "one or more of " + list_of_names<LossyType>() + ", separated by commas";
  setting.help = std::move(help);
  setting.read = [field](const Value& value, Settings& settings) { return read_lossy_types(value, settings.*field); };
  setting.write = [field](const Settings& settings) {
    std::string list;
    for (const auto& [type, name] : enum_names<LossyType>) {
      if ((settings.*field & type) == 0) continue;
      if (!list.empty()) list += ',';
      list += name;
    }
    return list;
  };
  return setting;
}

Setting declared_types_setting(std::string key, std::map<std::string, HalfFormat> Settings::*field, std::string help) {
  Setting setting;
  setting.key = std::move(key);
  setting.allowed = "a map from datatype names to " + list_of_names<HalfFormat>();
  setting.help = std::move(help);
  setting.read = [field](const Value& value, Settings& settings) {
    return read_declared_types(value, settings.*field);
  };
  setting.write = [field](const Settings& settings) {
    std::string map;
    for (const auto& [name, format] : settings.*field) {
      if (!map.empty()) map += ", ";
      map += base::yaml_quoted(name) + ": " + std::string(enum_name(format));
    }
    return "{" + map + "}";
  };
  return setting;
}

}  // namespace airamp::config
