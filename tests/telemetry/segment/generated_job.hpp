// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace airamp::telemetry {

/// What `generate_job` writes.
struct GeneratedJob {
  std::string folder = "/dev/shm";
  std::string job = "generated";
  int ranks = 256;
  int ranks_per_host = 8;
  /// This rank is late in every time step; -1: none.
  int straggler = -1;
  /// This rank has not entered the last collective, in which all others still are; -1: none.
  int missing = -1;
};

/// Writes plausible segments of a job in the middle of its run, all of them as if by this process: it must go on for
/// the ranks to be alive. Returns an empty string, or what went wrong.
std::string generate_job(const GeneratedJob& job);

}  // namespace airamp::telemetry
