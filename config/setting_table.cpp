// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/setting_table.hpp"

#include <algorithm>

#include "config/setting_kinds.hpp"

namespace airamp::config {

const std::vector<Setting>& setting_table() {
  // never destroyed: MPI_Finalize may come in an exit handler
  static const auto& table = *new std::vector<Setting>{
      boolean_setting("disable", &Settings::disable, "Leaves every call to the MPI library."),
      boolean_setting("enable_fp8_allreduce", &Settings::enable_fp8_allreduce,
                      "Opts in to lossy compression of MPI_Allreduce."),
      boolean_setting("enable_fp8_allgather", &Settings::enable_fp8_allgather,
                      "Opts in to lossy compression of MPI_Allgather and MPI_Allgatherv."),
      lossy_types_setting("lossy_types", &Settings::lossy_types,
                          "Element types that lossy compression may be applied to; in the file also a YAML list."),
      bytes_setting(
          "min_bytes", &Settings::min_bytes, std::uint64_t{1} << 40U,
          "Smaller collectives are not compressed: the bytes of the reduced vector, or the (average) bytes that "
          "one rank contributes to a gather."),
      number_setting("min_speedup", &Settings::min_speedup, 1.0, 100.0,
                     "Slowest-rank speed-up over native from which on an algorithm is chosen."),
      integer_setting("warmup_iterations", &Settings::warmup_iterations, 1, 100,
                      "Calls of each signature that are measured before the decision."),
      choice_setting("codec", &Settings::codec, "Element format of the compressed wire, by its OCP Microscaling name."),
      number_setting("max_relative_error", &Settings::max_relative_error, 0.0, 1.0,
                     "Largest relative L2 error against the native result with which an algorithm may be chosen."),
      bytes_setting(
          "host_scratch", &Settings::host_scratch, std::uint64_t{1} << 40U,
          "Host memory that the algorithms of one rank may hold between calls; limits of control groups and of "
          "the process bound it further."),
      choice_setting("gpu", &Settings::gpu,
                     "Whether buffers may lie in GPU memory, so that collectives on them are carried over peer memory; "
                     "detect looks for device files."),
      choice_setting(
          "gpu_aware_mpi", &Settings::gpu_aware_mpi,
          "Whether the MPI library takes pointers to GPU memory; detect asks it, but takes no yes of Open MPI for "
          "nonblocking reductions unless UCC does them."),
      boolean_setting(
          "enable_shared_memory", &Settings::enable_shared_memory,
          "Carries the collectives in host memory that docs/shared_memory.md names through memory that the ranks of a "
          "host share; what becomes of floating-point sums says reduction_order."),
      choice_setting("reduction_order", &Settings::reduction_order,
                     "In which order floating-point numbers in host memory are added and multiplied "
                     "(docs/reproducibility.md): the MPI library's, one that the number of ranks alone decides, none "
                     "(sums are rounded once), or whatever is fastest."),
      boolean_setting("enable_ccl", &Settings::enable_ccl,
                      "Opts in to the GPUs' collective communication library (NCCL, RCCL), where the site has it, for "
                      "lossless collectives on GPU memory."),
      choice_setting("force", &Settings::force, "Imposes an algorithm wherever it is eligible; for tests."),
      integer_setting(
          "ranks_per_host", &Settings::ranks_per_host, 0, 1048576,
          "Emulates host boundaries: as many ranks of MPI_COMM_WORLD in a row count as one host; 0 for none; "
          "for tests."),
      choice_setting("log_level", &Settings::log_level, "What is written to stderr."),
      report_setting("report", &Settings::report, "Where rank 0 writes the report of the run, in MPI_Finalize."),
      boolean_setting("pola", &Settings::pola,
                      "Learns the pattern of the collectives on each communicator and keeps the next ones ready."),
      integer_setting("pola_lock_events", &Settings::pola_lock_events, 20, 50,
                      "Collectives of a communicator that are looked at before their pattern counts as learnt."),
      boolean_setting("pola_ask_along", &Settings::pola_ask_along,
                      "For an expected collective over MPI the ranks agree along with their first data, not before "
                      "them."),
      boolean_setting("pola_post_receives", &Settings::pola_post_receives,
                      "The receives of an expected collective over MPI are posted when the one before it ends."),
      boolean_setting(
          "enable_ghost_kernels", &Settings::enable_ghost_kernels,
          "Opts in to tiny kernels, launched by a thread, that keep a GPU awake between expected collectives "
          "on its buffers."),
      integer_setting("call_sites", &Settings::call_sites, 0, 16,
                      "By how many callers on rank 0's stack the report tells calls apart, at the cost of some "
                      "microseconds a call; 0: not at all."),
      folder_setting("trace", &Settings::trace, true,
                     "Where every rank writes the sequence and the times of its collectives, for airamp pola replay."),
      boolean_setting("telemetry", &Settings::telemetry,
                      "Publishes what the run does in shared memory, for airampd, airamp status and airamp hang."),
      folder_setting("telemetry_folder", &Settings::telemetry_folder, false,
                     "Where the files of shared memory lie; best in a memory file system."),
      address_setting("metrics_addr", &Settings::metrics_addr, "Address at which airampd serves."),
      integer_setting("metrics_port", &Settings::metrics_port, 0, 65535,
                      "Port at which airampd serves; 0 for any free one."),
      number_setting("handshake_warning_seconds", &Settings::handshake_warning_seconds, 0.0, 86400.0,
                     "After this long in MPI_Init's handshake a rank asks on stderr whether AIRamp is loaded in every "
                     "rank."),
      declared_types_setting("declared_types", &Settings::declared_types,
                             "What two-byte datatypes of these names (as set by MPI_Type_set_name) hold."),
  };
  return table;
}

const Setting* find_setting(std::string_view key) {
  const std::vector<Setting>& table = setting_table();
  const auto found = std::find_if(table.begin(), table.end(), [key](const Setting& s) { return s.key == key; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace airamp::config
