// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/source_lines.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "apps/airamp/child_output.hpp"
#include "apps/airamp/linked_program/find_program.hpp"

namespace airamp::command_line {
namespace {

using Frame = report_page::RunReport::Frame;

/// Debugging information of a large program takes a while to read.
constexpr double patience_seconds = 60;

/// What addr2line does not know begins so.
bool is_known(const std::string& text) { return !text.empty() && !text.starts_with('?'); }

/// "/a/b/solver.f90:12 (discriminator 3)" as "solver.f90:12".
std::string short_place(const std::string& place) {
  return std::filesystem::path(place.substr(0, place.find(" ("))).filename().string();
}

void look_up(const std::string& addr2line, const std::string& object, const std::vector<Frame*>& frames) {
  std::vector<std::string> command{addr2line, "-C", "-f", "-e", object};
  for (const Frame* frame : frames) command.push_back(fmt::format("{:#x}", frame->address.offset));
  std::istringstream answer(output_of(std::move(command), patience_seconds).text);
  for (Frame* frame : frames) {
    std::string function;
    std::string place;
    if (!std::getline(answer, function) || !std::getline(answer, place)) return;
    if (is_known(function)) frame->function = function;
    if (is_known(place) && !place.ends_with(":?")) frame->line = short_place(place);
  }
}

}  // namespace

void add_source_lines(std::vector<report_page::RunReport::CallSite>& sites) {
  std::map<std::string, std::vector<Frame*>> by_object;
  for (report_page::RunReport::CallSite& site : sites)
    for (Frame& frame : site.stack)
      if (!frame.address.object.empty()) by_object[frame.address.object].push_back(&frame);
  const std::string addr2line = by_object.empty() ? "" : find_program("addr2line");
  if (addr2line.empty()) return;
  for (const auto& [object, frames] : by_object) look_up(addr2line, object, frames);
}

}  // namespace airamp::command_line
