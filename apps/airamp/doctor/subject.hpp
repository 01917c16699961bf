// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/airamp/doctor/system.hpp"
#include "apps/airamp/linked_program/mpi_family.hpp"
#include "apps/airamp_probe/answers.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::doctor {

using command_line::MpiFamily;

/// The MPI library that is used.
struct MpiInUse {
  std::string whose;                  ///< the program that was given, or mpirun, by the name to say
  std::optional<MpiFamily> family;    ///< nothing if it is not known
  std::string trouble;                ///< why it is not known, for people
  probe::MpiLibrary library;          ///< what it says of itself
  std::optional<MpiFamily> launcher;  ///< the family that mpirun belongs to, where a program was given
};

/// The libairamp.so that `airamp exec` would preload.
struct AirampLibrary {
  std::string path;                 ///< absolute; empty if none was found
  std::optional<MpiFamily> family;  ///< that it was built for; nothing where its place does not say
  std::string trouble;              ///< why it was not found, or cannot be loaded; empty if neither
  bool cuda_plugin = false;         ///< the plugin for NVIDIA GPUs lies beside it
};

/// How many ranks this host has or is to have.
struct RankCount {
  int number = 1;      ///< at least 1
  bool known = false;  ///< else as many as there are processors
};

/// What `--measure` measured.
struct Measurements {
  probe::MemoryBandwidth memory;
  probe::FlagLatency flags;
  probe::GpuCopies gpu_copies;
};

/// All that the checks look at. What the host's libraries say has been asked before.
struct Subject {
  System system;
  /// Whose limits and control group count, as in /proc: of a rank of the job, or "self".
  std::string process = "self";
  RankCount ranks;
  MpiInUse mpi;
  AirampLibrary airamp;
  probe::Gpus gpus;
  probe::Topology topology;
  std::optional<Measurements> measurements;
  /// The ranks of the job that are known to run on this host; none without --job.
  std::vector<telemetry::RankSnapshot> job;
};

}  // namespace airamp::doctor
