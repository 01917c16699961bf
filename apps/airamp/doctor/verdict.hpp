// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace airamp::doctor {

/// What a check makes of what it found, the worst first.
enum class Verdict {
  wrong,          ///< costs speed or stops the job, and can be mended
  worth_knowing,  ///< may cost speed, or be as it is for a reason
  not_known,      ///< cannot be found out on this host, or by this user
  good,
};

/// For people, and the value in JSON.
constexpr std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::wrong:
      return "wrong";
    case Verdict::worth_knowing:
      return "worth knowing";
    case Verdict::not_known:
      return "not known here";
    case Verdict::good:
      return "good";
  }
  return "";
}

}  // namespace airamp::doctor
