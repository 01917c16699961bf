// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/signature_label.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace airamp::report_page {

std::string short_name(const std::string& function) {
  return function.starts_with("MPI_") ? function.substr(4) : function;
}

std::string communicator_name(const std::string& name) { return name.empty() ? "all communicators" : name; }

std::string element_and_op(const RunReport::Signature& signature) {
  return signature.element + (signature.element.empty() || signature.op.empty() ? "" : " ") + signature.op;
}

std::vector<const RunReport::Signature*> charted(const RunReport& report, double RunReport::Signature::*quantity) {
  std::vector<const RunReport::Signature*> chosen;
  for (const RunReport::Signature& signature : report.signatures) {
    if (!std::isnan(signature.*quantity)) chosen.push_back(&signature);
  }
  std::ranges::stable_sort(chosen, std::ranges::greater(), [](const auto* s) { return s->bytes; });
  if (chosen.size() > max_charted) chosen.resize(max_charted);
  std::ranges::stable_sort(
      chosen, {}, [](const auto* s) { return std::tie(s->function, s->element, s->op, s->communicator, s->size); });
  return chosen;
}

}  // namespace airamp::report_page
