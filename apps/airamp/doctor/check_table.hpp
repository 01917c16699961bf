// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "apps/airamp/doctor/finding.hpp"
#include "apps/airamp/doctor/subject.hpp"

namespace airamp::doctor {

/// A check and what it is called in the table, in JSON and in docs/doctor.md.
struct NamedCheck {
  std::string_view name;
  std::vector<Finding> (*check)(const Subject& subject);
};

/// All checks, in the order of the documentation.
std::span<const NamedCheck> every_check();

/// A finding and the check that found it.
struct Result {
  std::string_view name;
  Finding finding;
};

/// Does all checks. The worst findings come first, those of one verdict in the order of the checks.
std::vector<Result> examine(const Subject& subject);

}  // namespace airamp::doctor
