// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "config/settings.hpp"
#include "pmpi/job/refused_aliases.hpp"
#include "pmpi/mpi/functions.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "telemetry/call_counters.hpp"
#include "tuner/review_windows.hpp"

namespace airamp::pmpi {

/// What one job (one MPI_COMM_WORLD) has agreed on, and what this rank has counted.
struct Job {
  /// Whether collectives may be accelerated: true between MPI_Init's handshake and MPI_Finalize if all ranks agreed.
  std::atomic<bool> on{false};
  /// MPI_Pcontrol's wish of this rank; an input to agreements, never a decision of its own.
  std::atomic<bool> wanted{true};

  /// Whether some communicator of this rank opted in by its info keys (and the job may not have).
  std::atomic<bool> communicators_opted_in{false};

  /// Whether several threads may call MPI at the same time.
  std::atomic<bool> several_threads{true};

  bool gpus = false;                        ///< some host of the job has a GPU, and the settings let us use them
  bool copies_gpu_buffers = false;          ///< the MPI library cannot read GPU memory: it gets host copies
  bool copies_started_gpu_buffers = false;  ///< the same of reductions that one call starts and another completes
  KindSet refused_aliases;                  ///< calls in which the MPI library lets no rank receive where it sends from

  config::Settings settings;            ///< rank 0's; constant while `on`
  tuner::ReviewWindows review_windows;  ///< tests set others before MPI_Init
  std::string why_off = "MPI_Init was not called";
  std::string library_version;
  std::string name;         ///< the same on all ranks, and as good as unique
  std::string report_file;  ///< absolute, since the application may change its directory
  int rank = 0;
  int size = 0;
  int ranks_on_host = 1;      ///< of this job, this one included: those that share its memory
  int max_ranks_on_host = 1;  ///< the same of the host that has most of them
  Stopwatch since_start;      ///< since MPI_Init
  std::int64_t started = 0;   ///< the same moment, seconds since the Unix epoch

  telemetry::CallCounters<function_count> counters;
};

extern constinit ProcessWide<Job> process_job;

/// The process's only job. Thread-safe; inline, for a call asks several times.
inline Job& job() noexcept { return *process_job; }

}  // namespace airamp::pmpi
