// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/tables/call_site_table.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/tables/table.hpp"
#include "apps/html/html.hpp"

namespace airamp::report_page {
namespace {

using Kind = Table::Column;

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string html(const RunReport::Frame& frame) {
  const std::string& name = frame.function.empty() ? frame.address.symbol : frame.function;
  const std::string place =
      frame.line.empty() ? fmt::format("{}+{:#x}", file_name(frame.address.object), frame.address.offset) : frame.line;
  return (name.empty() ? "" : escape(name) + " ") + "<span class=\"faint\">" + escape(place) + "</span>";
}

std::string html(const std::vector<RunReport::Frame>& stack) {
  if (stack.empty()) return "other places";
  std::string text;
  for (const RunReport::Frame& frame : stack) text += (text.empty() ? "" : "<br>called by ") + html(frame);
  return text;
}

}  // namespace

std::string call_site_section(const RunReport& report) {
  if (report.call_sites.empty()) return "";
  Table table("Calls by the place in the program that they were made at", {{"Place", Kind::name},
                                                                           {"Function", Kind::name},
                                                                           {"Calls", Kind::numbers},
                                                                           {"Bytes", Kind::numbers},
                                                                           {"Time", Kind::numbers},
                                                                           {"Share of the run", Kind::numbers}});
  for (const RunReport::CallSite& site : report.call_sites) {
    table.row({html(site.stack), escape(site.function), html_count(site.calls), html_bytes(site.bytes),
               html_seconds(site.seconds), percent(share(site.seconds, report.seconds))});
  }
  return section("Who called", std::move(table).finish());
}

}  // namespace airamp::report_page
