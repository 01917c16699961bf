// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/setting_kinds.hpp"

#include <arpa/inet.h>

#include <cctype>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/quoted_text.hpp"
#include "config/enum_names.hpp"
#include "config/parse_value.hpp"

namespace airamp::config {
namespace {

constexpr std::size_t longest_file_name = 4095;  // PATH_MAX without its terminator

// A setting whose value is one text. `parse(text, settings)` returns what is wrong, empty if nothing is.
template <typename Parse, typename Write>
Setting text_setting(std::string key, std::string allowed, std::string help, Parse parse, Write write) {
  Setting setting;
  setting.variable = variable_of(key);
  setting.key = std::move(key);
  setting.allowed = std::move(allowed);
  setting.help = std::move(help);
  setting.read = [parse](const Value& value, Settings& settings) -> std::vector<Problem> {
    if (value.shape != Value::Shape::text) return {{value.line, shape_name(value) + " where one value is expected"}};
    std::string what = parse(value.text, settings);
    if (what.empty()) return {};
    return {{value.line, std::move(what)}};
  };
  setting.write = std::move(write);
  return setting;
}

std::string check_file_name(std::string_view text) {
  if (!base::is_printable_text(text)) return base::message_quoted(text) + " has control characters or is not UTF-8";
  if (text.size() > longest_file_name) return base::message_quoted(text) + " is too long";
  return {};
}

std::string check_report(std::string_view text) {
  if (std::string what = check_file_name(text); !what.empty()) return what;
  if (text.empty() || text == "stderr" || text.ends_with(".txt") || text.ends_with(".json")) return {};
  return base::message_quoted(text) + " is neither stderr nor a .txt or .json file";
}

}  // namespace

std::string variable_of(const std::string& key) {
  std::string name = "AIRAMP_";
  for (const char c : key) name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

Setting boolean_setting(std::string key, bool Settings::*field, std::string help) {
  Setting setting = text_setting(
      std::move(key), "true or false (also 1/0, yes/no, on/off)", std::move(help),
      [field](const std::string& text, Settings& settings) { return parse_boolean(text, settings.*field); },
      [field](const Settings& settings) { return std::string(settings.*field ? "true" : "false"); });
  setting.is_boolean = true;
  return setting;
}

Setting bytes_setting(std::string key, std::uint64_t Settings::*field, std::uint64_t maximum, std::string help) {
  return text_setting(
      std::move(key), "0 to " + bytes_text(maximum) + " bytes; binary suffixes K, M and G", std::move(help),
      [=](const std::string& text, Settings& settings) { return parse_bytes(text, maximum, settings.*field); },
      [field](const Settings& settings) { return bytes_text(settings.*field); });
}

Setting integer_setting(std::string key, int Settings::*field, int minimum, int maximum, std::string help) {
  return text_setting(
      std::move(key), "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum),
      std::move(help),
      [=](const std::string& text, Settings& settings) {
        return parse_integer(text, minimum, maximum, settings.*field);
      },
      [field](const Settings& settings) { return std::to_string(settings.*field); });
}

Setting number_setting(std::string key, double Settings::*field, double minimum, double maximum, std::string help) {
  return text_setting(
      std::move(key), "a number from " + number_text(minimum) + " to " + number_text(maximum), std::move(help),
      [=](const std::string& text, Settings& settings) {
        return parse_number(text, minimum, maximum, settings.*field);
      },
      [field](const Settings& settings) { return number_text(settings.*field); });
}

template <typename Enum>
Setting choice_setting(std::string key, Enum Settings::*field, std::string help) {
  return text_setting(
      std::move(key), list_of_names<Enum>(), std::move(help),
      [field](const std::string& text, Settings& settings) -> std::string {
        const std::optional<Enum> found = find_enumerator<Enum>(text);
        if (!found) return base::message_quoted(text) + " is not known";
        settings.*field = *found;
        return {};
      },
      [field](const Settings& settings) { return std::string(enum_name(settings.*field)); });
}

template Setting choice_setting(std::string, WireFormat Settings::*, std::string);
template Setting choice_setting(std::string, ReductionOrder Settings::*, std::string);
template Setting choice_setting(std::string, Force Settings::*, std::string);
template Setting choice_setting(std::string, Detection Settings::*, std::string);
template Setting choice_setting(std::string, LogLevel Settings::*, std::string);

Setting report_setting(std::string key, std::string Settings::*field, std::string help) {
  return text_setting(
      std::move(key), "stderr, or a file name that ends in .txt or .json; empty for no report", std::move(help),
      [field](const std::string& text, Settings& settings) {
        std::string what = check_report(text);
        if (what.empty()) settings.*field = text;
        return what;
      },
      [field](const Settings& settings) { return base::yaml_quoted(settings.*field); });
}

Setting folder_setting(std::string key, std::string Settings::*field, bool may_be_empty, std::string help) {
  return text_setting(
      std::move(key), may_be_empty ? "a folder; empty for none" : "a folder", std::move(help),
      [=](const std::string& text, Settings& settings) {
        std::string what = text.empty() && !may_be_empty ? "no folder is named" : check_file_name(text);
        if (what.empty()) settings.*field = text;
        return what;
      },
      [field](const Settings& settings) { return base::yaml_quoted(settings.*field); });
}

Setting address_setting(std::string key, std::string Settings::*field, std::string help) {
  return text_setting(
      std::move(key), "an IPv4 or IPv6 address in numbers", std::move(help),
      [field](const std::string& text, Settings& settings) -> std::string {
        in6_addr parsed;
        const char* const name = text.c_str();
        // inet_pton would end at a NUL inside of the text.
        if (!base::is_printable_text(text) ||
            (inet_pton(AF_INET, name, &parsed) != 1 && inet_pton(AF_INET6, name, &parsed) != 1)) {
          return base::message_quoted(text) + " is not an address";
        }
        settings.*field = text;
        return {};
      },
      [field](const Settings& settings) { return base::yaml_quoted(settings.*field); });
}

}  // namespace airamp::config
