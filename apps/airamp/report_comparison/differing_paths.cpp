// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_comparison/differing_paths.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "apps/airamp/report_page/signature_label.hpp"
#include "base/quantity_text.hpp"

namespace airamp::report_comparison {
namespace {

constexpr std::size_t max_rows = 20;

/// Communicator, function, size, element type and reduction.
using Kind = std::tuple<std::string, std::string, std::uint64_t, std::string, std::string>;
using Both = std::array<const RunReport::Signature*, 2>;

/// Of signatures with the same kind, the one with most calls.
void add(std::map<Kind, Both>& kinds, const RunReport& report, std::size_t run) {
  for (const RunReport::Signature& s : report.signatures) {
    const RunReport::Signature*& known = kinds[{s.communicator, s.function, s.size, s.element, s.op}][run];
    if (known == nullptr || known->calls < s.calls) known = &s;
  }
}

std::string error_of(const RunReport::Signature& signature) {
  return std::isnan(signature.relative_error) ? "-" : fmt::format("{:.2g}", signature.relative_error);
}

bool differ(const RunReport::Signature& a, const RunReport::Signature& b) {
  const bool both_measured = !std::isnan(a.relative_error) && !std::isnan(b.relative_error);
  return a.path != b.path || (both_measured && a.relative_error != b.relative_error);
}

}  // namespace

ComparisonTable differing_paths(const Runs& runs) {
  ComparisonTable table{.heading = "Kinds of calls that took another path, or had another error",
                        .columns = {"Function", "Size from", "Data", "Communicator", "Path A", "Path B", "Error A",
                                    "Error B", "Why in B"}};
  std::map<Kind, Both> kinds;
  add(kinds, runs.a, 0);
  add(kinds, runs.b, 1);
  for (const auto& [kind, both] : kinds) {
    const auto& [a, b] = both;
    if (a == nullptr || b == nullptr || !differ(*a, *b) || table.rows.size() == max_rows) continue;
    table.rows.push_back({b->function, base::byte_size(b->size), report_page::element_and_op(*b),
                          report_page::communicator_name(b->communicator), a->path, b->path, error_of(*a), error_of(*b),
                          b->why});
  }
  return table;
}

}  // namespace airamp::report_comparison
