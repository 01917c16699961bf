// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "telemetry/segment/segment_reader.hpp"

namespace airamp::command_line {

/// The options --job, --folder and --uid, and the jobs that they stand for.
class JobSelection {
 public:
  /// `without_name` says in the help of --job what is looked at if it is not given.
  explicit JobSelection(CLI::App& command,
                        const std::string& without_name = "all running jobs, or the one last heard of");

  struct Job {
    std::string name;
    telemetry::JobSnapshot snapshot;
  };

  /// Whether --job was given.
  bool named() const { return !job_.empty(); }

  /// The job that was named, or all jobs of the user that are known to run, or if none is the one that gave the last
  /// sign. Nothing if there is none; `why_none` says why.
  std::vector<Job> read(std::string& why_none) const;

 private:
  std::string folder() const;

  std::string job_;
  std::string folder_;
  uid_t user_;
};

}  // namespace airamp::command_line
