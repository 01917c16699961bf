// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>

#include "config/load.hpp"

namespace airamp::config {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string read_source(const std::string& name) {
  const std::ifstream stream(AIRAMP_SOURCE_DIR "/" + name);
  EXPECT_TRUE(stream.good()) << name;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The example with its setting lines made active: those whose '#' is not followed by a space.
std::string activated_example() {
  std::istringstream lines(read_source("config/airamp.conf.example"));
  std::string active;
  for (std::string line; std::getline(lines, line);) {
    const bool is_setting = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    active += (is_setting ? line.substr(1) : line) + '\n';
  }
  return active;
}

TEST(Example, AsItStandsIsTheDefaults) {
  const Loaded loaded = parse_text(read_source("config/airamp.conf.example"), "example");
  EXPECT_THAT(loaded.errors, IsEmpty());
  for (const auto& [key, origin] : loaded.origins) EXPECT_EQ(origin, "default") << key;
}

TEST(Example, ActivatedNamesEverySettingWithItsDefault) {
  const Loaded loaded = parse_text(activated_example(), "example");
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_EQ(loaded.settings, Settings{});
  for (const auto& [key, origin] : loaded.origins) EXPECT_NE(origin, "default") << key;
}

TEST(Documentation, HasExactlyTheTableOfSettings) {
  const std::string text = read_source("docs/configuration.md");
  std::size_t rows = 0;
  for (const SettingInfo& info : setting_infos()) {
    std::string option = "--" + info.key;
    std::replace(option.begin(), option.end(), '_', '-');
    const std::string names = info.variable.empty() ? "(file only)" : "`" + info.variable + "`, `" + option + "`";
    EXPECT_THAT(text, HasSubstr("\n| `" + info.key + "` | " + names + " | " + info.allowed + " | `" +
                                info.default_text + "` | " + info.help + " |\n"));
    ++rows;
  }
  std::size_t found = 0;
  for (std::size_t at = text.find("\n| `"); at != std::string::npos; at = text.find("\n| `", at + 1)) ++found;
  EXPECT_EQ(found, rows);
}

}  // namespace
}  // namespace airamp::config
