// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

namespace airamp::sidecar {

/// The names of this host's users. Asks for each until there is an answer: the service that knows the users may start
/// later than airampd. Not thread-safe.
class UserNames {
 public:
  /// A user's name, or the number of one that has none.
  std::string name_of(uid_t user);

 private:
  std::map<uid_t, std::string> known_;
};

}  // namespace airamp::sidecar
