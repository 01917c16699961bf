// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "config/load.hpp"

namespace airamp::config {

Environment process_environment() {
  Environment environment;
  environment.value = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
  environment.names = [] {
    std::vector<std::string> names;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      const std::string_view text = *entry;
      names.emplace_back(text.substr(0, text.find('=')));
    }
    return names;
  };
  return environment;
}

Environment fixed_environment(std::map<std::string, std::string> variables) {
  const auto shared = std::make_shared<const std::map<std::string, std::string>>(std::move(variables));
  Environment environment;
  environment.value = [shared](const std::string& name) -> std::optional<std::string> {
    const auto found = shared->find(name);
    if (found == shared->end()) return std::nullopt;
    return found->second;
  };
  environment.names = [shared] {
    std::vector<std::string> names;
    for (const auto& [name, value] : *shared) names.push_back(name);
    return names;
  };
  return environment;
}

}  // namespace airamp::config
