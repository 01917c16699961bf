// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/enum_names.hpp"
#include "config/load.hpp"
#include "config/setting_table.hpp"

namespace airamp::config {

std::string to_text(const Settings& settings) {
  std::string text;
  for (const Setting& setting : setting_table()) text += setting.key + ": " + setting.write(settings) + '\n';
  return text;
}

const std::vector<SettingInfo>& setting_infos() {
  // never destroyed: MPI_Finalize may come in an exit handler
  static const auto& infos = *new std::vector<SettingInfo>([] {
    std::vector<SettingInfo> all;
    for (const Setting& setting : setting_table()) {
      all.push_back({setting.key, setting.variable, setting.allowed, setting.write(Settings{}), setting.help,
                     setting.is_boolean});
    }
    return all;
  }());
  return infos;
}

std::string_view to_string(Force force) { return enum_name(force); }
std::string_view to_string(LogLevel level) { return enum_name(level); }
std::string_view to_string(HalfFormat format) { return enum_name(format); }

}  // namespace airamp::config
