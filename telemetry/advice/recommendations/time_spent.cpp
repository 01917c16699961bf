// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "telemetry/advice/recommendations/rules.hpp"

namespace airamp::telemetry {

std::string time_spent(const RunFigures& run, double share, std::string_view what) {
  return fmt::format("{} of the time was spent in {}{}", base::percent(share), what,
                     run.several_hosts() ? ", in a job on several hosts" : "");
}

}  // namespace airamp::telemetry
