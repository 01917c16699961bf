// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "telemetry/segment/segment_reader.hpp"

namespace airamp::command_line {

/// The options --job, --folder and --uid, and the jobs that they stand for.
class JobSelection {
 public:
  /// Where ranks are looked for. Those on other hosts are reached in jobs of Slurm alone, unless --this-host is given.
  enum class Reach : std::uint8_t { this_host, all_hosts };

  /// `without_name` says in the help of --job what is looked at if it is not given.
  JobSelection(CLI::App& command, Reach reach,
               const std::string& without_name = "all running jobs, or the one last heard of");

  struct Job {
    std::string name;
    telemetry::JobSnapshot snapshot;
  };

  /// Whether --job was given.
  bool named() const { return !job_.empty(); }

  /// The job that was named; or of those within the job of Slurm that was numbered, or of all jobs of the user, those
  /// that are known to run, or if there are none the one that gave the last sign. Nothing if there is none; `why_none`
  /// says why.
  std::vector<Job> read(std::string& why_none) const;

  /// The same, but all those within a job of Slurm, whether they run or not.
  std::vector<Job> read_all(std::string& why_none) const;

 private:
  std::string folder() const;
  std::vector<Job> read_slurm_job(std::uint64_t number, std::vector<std::string>& errors) const;

  Reach reach_;
  std::string job_;
  std::string folder_;
  uid_t user_;
};

}  // namespace airamp::command_line
