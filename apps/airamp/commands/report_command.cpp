// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/report_command.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "apps/airamp/exit_codes.hpp"
#include "apps/airamp/report_page/page.hpp"
#include "apps/airamp/report_page/run_report.hpp"

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

}  // namespace

ReportCommand::ReportCommand(CLI::App& app)
    : command_(app.add_subcommand("report", "Make a page with pictures of a run's report (AIRAMP_REPORT=RUN.json)")) {
  command_->add_option("RUN.json", input_, "The report of the run, in JSON")->required();
  command_->add_option("-o,--output", output_,
                       "The page, one HTML file that needs nothing else; - for standard output. Without this: RUN.html "
                       "beside the report");
  command_->footer("Exit codes: 0, or 2 for a file that is no report or cannot be read or written.");
}

int ReportCommand::run() const {
  std::string file = input_;
  try {
    const std::string page = report_page::page(report_page::read_run_report(read_file(input_)));
    if (output_ == "-") {
      std::cout << page << std::flush;
      return std::cout ? exit_ok : exit_usage;
    }
    file = output_.empty() ? std::filesystem::path(input_).replace_extension(".html").string() : output_;
    if (std::error_code none; std::filesystem::equivalent(input_, file, none)) {
      throw report_page::ReportError("is the report itself; name another file with -o");
    }
    write_file(file, page);
  } catch (const report_page::ReportError& error) {
    std::cerr << "airamp report: " << file << ": " << error.what() << '\n';
    return exit_usage;
  }
  return exit_ok;
}

}  // namespace airamp::command_line
