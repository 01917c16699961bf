// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: whatever a configuration file or an environment variable holds, it is refused with messages or gives
// settings that can be written and read back. The first byte of the input says what the rest is: 0 modulo 3, the file;
// 1, changes of 3 bytes (place and new character) to a file with every setting, which reaches deeper; 2, the value of a
// setting's variable, which the second byte chooses.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/load.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using namespace airamp::config;
using airamp::fuzz::require;

void check(const Loaded& loaded) {
  for (const std::string& error : loaded.errors) require(!error.empty(), "a mistake has a message");
  if (!loaded.errors.empty()) return;
  const std::string text = to_text(loaded.settings);
  const Loaded again = parse_text(text, "again");
  require(again.errors.empty(), "what was written can be read");
  require(to_text(again.settings) == text, "what is read is what was written");
}

std::string changed(std::string text, std::string_view changes) {
  for (; changes.size() >= 3; changes.remove_prefix(3)) {
    const auto high = static_cast<unsigned char>(changes[0]);
    const auto low = static_cast<unsigned char>(changes[1]);
    text[(std::size_t{high} << 8U | low) % text.size()] = changes[2];
  }
  return text;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string all_settings = to_text(Settings{});
  static const std::vector<SettingInfo> settings = setting_infos();
  if (size < 2) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      check(parse_text(rest, "file"));
      break;
    case 1:
      check(parse_text(changed(all_settings, rest), "file"));
      break;
    default: {
      const SettingInfo& setting = settings[data[1] % settings.size()];
      if (setting.variable.empty()) break;
      const std::string value(rest.substr(1));
      const Loaded loaded = load(fixed_environment({{setting.variable, value}}), "/dev/null");
      require(loaded.errors.empty() == check_value(setting.key, value).empty(), "a value is as wrong alone");
      check(loaded);
    }
  }
  return 0;
}
