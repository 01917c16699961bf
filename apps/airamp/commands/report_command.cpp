// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/report_command.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "apps/airamp/exit_codes.hpp"
#include "apps/airamp/report_comparison/comparison.hpp"
#include "apps/airamp/report_page/page.hpp"
#include "apps/airamp/report_page/run_report.hpp"
#include "apps/airamp/source_lines.hpp"

namespace airamp::command_line {
namespace {

/// Throws ReportError.
std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw report_page::ReportError(std::string("cannot be opened: ") + std::strerror(errno));
  std::ostringstream text;
  errno = 0;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (errno != 0) throw report_page::ReportError(std::string("cannot be read: ") + std::strerror(errno));
  return std::move(text).str();
}

/// Throws ReportError.
void write_file(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw report_page::ReportError(std::string("cannot be written: ") + std::strerror(errno));
}

/// Throws ReportError, which then names the file.
report_page::RunReport read_report(const std::string& path) {
  try {
    return report_page::read_run_report(read_file(path));
  } catch (const report_page::ReportError& error) {
    throw report_page::ReportError(path + ": " + error.what());
  }
}

/// To a file, or to standard output for "-". Throws ReportError, which names the file.
void write_text(const std::string& path, const std::string& text) {
  if (path != "-") {
    try {
      return write_file(path, text);
    } catch (const report_page::ReportError& error) {
      throw report_page::ReportError(path + ": " + error.what());
    }
  }
  std::cout << text << std::flush;
  if (!std::cout) throw report_page::ReportError("standard output: cannot be written");
}

/// Throws ReportError.
std::string page_of(const std::string& path) {
  report_page::RunReport report = read_report(path);
  add_source_lines(report.call_sites);
  return report_page::page(report);
}

std::string comparison_of(const std::string& a, const std::string& b, bool as_page) {
  const report_page::RunReport report_a = read_report(a);
  const report_page::RunReport report_b = read_report(b);
  const report_comparison::Comparison comparison = report_comparison::compare({report_a, report_b});
  return as_page ? comparison_page(comparison) : comparison_text(comparison);
}

}  // namespace

ReportCommand::ReportCommand(CLI::App& app)
    : command_(app.add_subcommand("report",
                                  "Make a page with pictures of a run's report (AIRAMP_REPORT=RUN.json), or say what "
                                  "changed between two runs")) {
  command_->add_option("RUN.json", input_, "The report of the run, in JSON")->required();
  command_->add_option(
      "OTHER.json", other_,
      "The report of another run of the program: what changed from the first to this one is written to "
      "standard output, or with -o as a page");
  command_->add_option("-o,--output", output_,
                       "The page, one HTML file that needs nothing else; - for standard output. Without this: RUN.html "
                       "beside the report of a single run");
  command_->footer("Exit codes: 0, or 2 for a file that is no report or cannot be read or written.");
}

std::string ReportCommand::page_file() const {
  return output_.empty() ? std::filesystem::path(input_).replace_extension(".html").string() : output_;
}

int ReportCommand::run() const {
  try {
    const bool compares = !other_.empty();
    const bool as_page = !compares || !output_.empty();
    const std::string text = compares ? comparison_of(input_, other_, as_page) : page_of(input_);
    const std::string file = as_page ? page_file() : "-";
    for (const std::string& input : {input_, other_}) {
      if (std::error_code none; std::filesystem::equivalent(input, file, none)) {
        throw report_page::ReportError(file + ": is the report itself; name another file with -o");
      }
    }
    write_text(file, text);
  } catch (const report_page::ReportError& error) {
    std::cerr << "airamp report: " << error.what() << '\n';
    return exit_usage;
  }
  return exit_ok;
}

}  // namespace airamp::command_line
