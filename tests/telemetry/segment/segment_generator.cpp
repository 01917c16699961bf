// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// segment_generator: writes the segments of a made-up job, prints "ready" and stays, so that its ranks are alive, until
// its input ends or the time is over. It then removes the segments.
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "telemetry/segment/segment_file.hpp"
#include "tests/telemetry/segment/generated_job.hpp"

// What CLI11 may throw beyond a mistake on the command line may well end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  airamp::telemetry::GeneratedJob job;
  int seconds = 600;
  CLI::App app("Writes the segments of a made-up job and keeps them until stdin ends.");
  app.add_option("--folder", job.folder, "where the segments go");
  app.add_option("--job", job.job, "name of the job");
  app.add_option("--ranks", job.ranks, "number of ranks")->check(CLI::Range(1, 65536));
  app.add_option("--ranks-per-host", job.ranks_per_host, "ranks on each made-up host")->check(CLI::Range(1, 65536));
  app.add_option("--straggler", job.straggler, "rank that is late in every time step");
  app.add_option("--missing", job.missing, "rank that has not entered the last collective");
  app.add_option("--seconds", seconds, "longest time to stay")->check(CLI::Range(0, 86400));
  CLI11_PARSE(app, argc, argv);
  if (const std::string error = generate_job(job); !error.empty()) {
    std::cerr << "segment_generator: " << error << '\n';
    return 1;
  }
  std::cout << "ready" << std::endl;
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  poll(&input, 1, seconds * 1000);
  using airamp::telemetry::safe_job_name;
  using airamp::telemetry::user_folder;
  std::filesystem::remove_all(user_folder(job.folder, geteuid()) + "/" + safe_job_name(job.job));
  return 0;
}
