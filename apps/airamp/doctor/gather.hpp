// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airamp/doctor/subject.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::doctor {

/// What `airamp doctor` was told.
struct Request {
  std::string program;                       ///< whose MPI library counts; empty: mpirun's
  std::string library;                       ///< libairamp.so; empty: that which is installed
  int ranks = 0;                             ///< of this host; 0: not told
  bool measure = false;                      ///< also measure, which takes up to a minute and uses the GPUs
  std::vector<telemetry::RankSnapshot> job;  ///< that run on this host; none without --job
};

/// Looks at this host for the checks: starts `mpirun --version` and airamp-probe, and reads files. No context is
/// created on a GPU unless `measure` says so.
Subject gather(Request request);

}  // namespace airamp::doctor
