// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>
#include <exception>
#include <iostream>

#include "apps/airampd/options.hpp"
#include "apps/airampd/reading.hpp"
#include "apps/airampd/serve.hpp"
#include "apps/airampd/textfile.hpp"

namespace airamp::sidecar {
namespace {

void run(const Options& options) {
  if (options.all_users && !may_read_files_of_all()) {
    std::cerr
        << "airampd: cannot read what other users' ranks publish; --all-users needs root or CAP_DAC_READ_SEARCH\n";
  }
  const ReadJobs read =
      options.all_users ? read_segments_of_all(options.folder) : read_segments(options.folder, options.job, geteuid());
  if (options.textfile.empty()) {
    serve(options, read);
  } else {
    write_textfile(options, read);
  }
}

}  // namespace
}  // namespace airamp::sidecar

int main(int argc, char** argv) {
  airamp::sidecar::Options options;
  const int exit_code = airamp::sidecar::parse_options(argc, argv, options);
  if (exit_code >= 0) return exit_code;
  // A client that goes away while it is written to must not end the program.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    airamp::sidecar::run(options);
  } catch (const std::exception& error) {
    std::cerr << "airampd: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
