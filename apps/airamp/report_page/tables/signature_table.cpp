// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/tables/signature_table.hpp"

#include <algorithm>
#include <cmath>

#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/path_look.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/signature_label.hpp"
#include "apps/airamp/report_page/tables/table.hpp"
#include "apps/html/html.hpp"

namespace airamp::report_page {
namespace {

/// A second line below the first in a cell.
std::string below(const std::string& html) { return "<br><span class=\"faint\">" + html + "</span>"; }

std::string call_cell(const RunReport::Signature& signature) {
  const std::string element = element_and_op(signature);
  return escape(short_name(signature.function)) +
         below(escape(element) + (element.empty() ? "" : " · ") + escape(communicator_name(signature.communicator)));
}

std::string path_cell(const RunReport::Signature& signature) {
  const std::string path = path_name(signature.path);
  if (signature.state == DecisionState::measuring) return path + below("still measuring");
  return signature.state == DecisionState::failed ? path + below("<strong>failed</strong>") : path;
}

std::string calls_cell(const RunReport::Signature& signature) {
  return html_count(signature.calls) + below(html_count(signature.accelerated_calls));
}

std::string error_cell(const RunReport::Signature& signature) {
  if (std::isnan(signature.relative_error) && std::isnan(signature.maximum_error)) return error_text(std::nan(""));
  return error_text(signature.relative_error) + below(error_text(signature.maximum_error));
}

}  // namespace

std::string signature_section(const RunReport& report) {
  constexpr std::string_view heading = "All kinds of calls, and why";
  if (report.signatures.empty()) {
    return section(heading, missing("The file has no signatures: no collective was called, or not the whole report was "
                                    "written."));
  }
  std::vector<const RunReport::Signature*> rows;
  for (const RunReport::Signature& signature : report.signatures) rows.push_back(&signature);
  std::ranges::stable_sort(rows, std::ranges::greater(), [](const RunReport::Signature* signature) {
    return std::pair(signature->accelerated_calls > 0, signature->bytes);
  });
  using Kind = Table::Column;
  Table table("Accelerated ones first, then by bytes moved", {{"Call, communicator", Kind::name},
                                                              {"Size", Kind::numbers},
                                                              {"Path"},
                                                              {"Calls<br>accelerated", Kind::numbers},
                                                              {"Native<br>median", Kind::numbers},
                                                              {"AIRamp<br>median", Kind::numbers},
                                                              {"Speed-up", Kind::numbers},
                                                              {"Error<br>relative, largest", Kind::numbers},
                                                              {"Why", Kind::name}});
  for (const RunReport::Signature* row : rows) {
    table.row({call_cell(*row), size_range(row->size), path_cell(*row), calls_cell(*row),
               html_seconds(row->native_median_seconds), html_seconds(row->airamp_median_seconds),
               speedup_text(row->speedup), error_cell(*row), escape(row->why)},
              row->accelerated_calls > 0 ? "accelerated" : "");
  }
  return section(heading, std::move(table).finish());
}

}  // namespace airamp::report_page
