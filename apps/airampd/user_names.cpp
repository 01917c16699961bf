// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/user_names.hpp"

#include <pwd.h>

#include <cerrno>
#include <vector>

#include "base/safe_text.hpp"

namespace airamp::sidecar {

std::string UserNames::name_of(uid_t user) {
  if (const auto known = known_.find(user); known != known_.end()) return known->second;
  std::vector<char> text(1024);
  passwd entry{};
  passwd* found = nullptr;
  while (getpwuid_r(user, &entry, text.data(), text.size(), &found) == ERANGE && text.size() < 1U << 20U) {
    text.resize(2 * text.size());
  }
  if (found == nullptr || *found->pw_name == '\0') return std::to_string(user);
  return known_[user] = base::safe_text(found->pw_name);
}

}  // namespace airamp::sidecar
