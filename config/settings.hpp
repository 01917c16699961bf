// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/reduction_order.hpp"
#include "core/wire_format.hpp"

namespace airamp::config {

/// What a test may impose instead of the tuner's choice: always the MPI library's own algorithm, or one of AIRamp's
/// wherever it is eligible (core/algorithms.inc).
enum class Force : std::uint8_t {
  none,  ///< the tuner decides
  native,
#define AIRAMP_ALGORITHM(identifier, name, results, description) identifier,
#include "core/algorithms.inc"
#undef AIRAMP_ALGORITHM
};

/// What AIRamp finds out for itself unless it is told.
enum class Detection : std::uint8_t { detect, yes, no };

enum class LogLevel : std::uint8_t { error, warn, info, debug };

/// Floating-point element types that lossy compression may be applied to; a bit set.
enum LossyType : unsigned { lossy_float16 = 1U, lossy_bfloat16 = 2U, lossy_float32 = 4U };

/// 16-bit float formats that a datatype may be declared to hold.
enum class HalfFormat : std::uint8_t { float16, bfloat16 };

/// All settings of one job. Every field names its environment variable and its key in the configuration file,
/// then the values allowed, then the default. The environment overrides the file.
struct Settings {
  /// AIRAMP_DISABLE, `disable`. true/false (1/0, yes/no, on/off). Leaves every call to the MPI library. Default false.
  bool disable = false;

  /// AIRAMP_ENABLE_FP8_ALLREDUCE, `enable_fp8_allreduce`. true/false. Opts in to lossy compression of MPI_Allreduce.
  /// Default false.
  bool enable_fp8_allreduce = false;

  /// AIRAMP_ENABLE_FP8_ALLGATHER, `enable_fp8_allgather`. true/false. Opts in to lossy compression of MPI_Allgather and
  /// MPI_Allgatherv. Default false.
  bool enable_fp8_allgather = false;

  /// AIRAMP_LOSSY_TYPES, `lossy_types`. Comma-separated list (in the file also a YAML list) of float16, bfloat16,
  /// float32: the element types that lossy compression may be applied to. Default float16,bfloat16.
  unsigned lossy_types = lossy_float16 | lossy_bfloat16;

  /// AIRAMP_MIN_BYTES, `min_bytes`. 0 to 2^40; suffixes K, M, G (binary) allowed. Smaller collectives are not
  /// compressed: the bytes of the reduced vector, or the (average) bytes that one rank contributes to a gather. Default
  /// 1M.
  std::uint64_t min_bytes = 1U << 20U;

  /// AIRAMP_MIN_SPEEDUP, `min_speedup`. 1.0 to 100. Slowest-rank speed-up over native from which on an algorithm is
  /// chosen. Default 1.05.
  double min_speedup = 1.05;

  /// AIRAMP_WARMUP_ITERATIONS, `warmup_iterations`. 1 to 100. Calls of each signature that run both ways before the
  /// decision, after twice as many in which native is timed alone. Default 2.
  int warmup_iterations = 2;

  /// AIRAMP_CODEC, `codec`. mxfp8-e4m3, mxfp8-e5m2, mxint8, mxfp6-e2m3, mxfp6-e3m2, mxfp4. Default mxfp8-e4m3.
  WireFormat codec = WireFormat::mxfp8_e4m3;

  /// AIRAMP_MAX_RELATIVE_ERROR, `max_relative_error`. 0 to 1. Largest relative L2 error against the native result with
  /// which an algorithm may be chosen. Default 0.05 (mxfp8-e4m3 has 0.038 on a sum of standard normals).
  double max_relative_error = 0.05;

  /// AIRAMP_HOST_SCRATCH, `host_scratch`. 0 to 1024G. Bytes of host memory that the algorithms of one rank may hold
  /// between calls; limits of control groups and of the process bound it further. What does not fit stays native. Not
  /// counted: what a measured call needs for the results that it compares. Default 128M.
  std::uint64_t host_scratch = std::uint64_t{128} << 20U;

  /// AIRAMP_GPU, `gpu`. detect, yes, no. Whether buffers may lie in GPU memory: collectives on such are carried over
  /// the GPUs' peer memory where that measures faster, and copied to the host for an MPI library that cannot read them.
  /// Default detect: if some host of the job has a GPU's device files.
  Detection gpu = Detection::detect;

  /// AIRAMP_GPU_AWARE_MPI, `gpu_aware_mpi`. detect, yes, no. Whether the MPI library takes pointers to GPU memory.
  /// Default detect: it is asked (MPIX_Query_cuda_support and its kind); no yes of Open MPI is taken for nonblocking
  /// and persistent reductions unless UCC does them.
  Detection gpu_aware_mpi = Detection::detect;

  /// AIRAMP_ENABLE_SHARED_MEMORY, `enable_shared_memory`. true/false. Carries the collectives in host
  /// memory that docs/shared_memory.md names through memory that the ranks of a host share, wherever that measures
  /// faster. Floating-point numbers are added in the order that `reduction_order` says. Default true.
  bool enable_shared_memory = true;

  /// AIRAMP_REDUCTION_ORDER, `reduction_order`. native, fixed, exact, any. In which order floating-point numbers in
  /// host memory are added and multiplied (docs/reproducibility.md): the MPI library's own, so that no last digit
  /// changes; one that the number of ranks alone decides; none, as sums are rounded once; whatever is fastest. fixed
  /// and exact go through shared memory, or by messages where there is none, whatever that measures, and without
  /// `enable_shared_memory`. Default native.
  ReductionOrder reduction_order = ReductionOrder::native;

  /// AIRAMP_ENABLE_CCL, `enable_ccl`. true/false. Opts in to the GPUs' collective communication library, NCCL or RCCL,
  /// where the site has it, for lossless collectives on GPU buffers wherever it measures faster. It starts threads,
  /// takes device memory of its own, and adds in an order of its own. Default false.
  bool enable_ccl = false;

  /// AIRAMP_FORCE, `force`. none, native, mpi-two-shot, peer-one-shot, peer-two-shot, peer-compressed, ccl, two-level,
  /// two-level-compressed, shared-memory, ordered-messages, native-persistent. Imposes an algorithm wherever it is
  /// eligible; for tests. Default none.
  Force force = Force::none;

  /// AIRAMP_RANKS_PER_HOST, `ranks_per_host`. 0 to 1048576. Emulates host boundaries on one host, for tests: as many
  /// ranks of MPI_COMM_WORLD in a row count as one host. 0: no boundaries but the real ones. Default 0.
  int ranks_per_host = 0;

  /// AIRAMP_LOG_LEVEL, `log_level`. error, warn, info, debug. What is written to stderr. Default warn.
  LogLevel log_level = LogLevel::warn;

  /// AIRAMP_REPORT, `report`. stderr, or a file whose name ends in .txt or .json; written by rank 0 in MPI_Finalize.
  /// Empty: no report. Default empty.
  std::string report;

  /// AIRAMP_POLA, `pola`. true/false. Learns the pattern of the collectives on each communicator (docs/pola.md) and
  /// keeps the next ones ready. Default true.
  bool pola = true;

  /// AIRAMP_POLA_LOCK_EVENTS, `pola_lock_events`. 20 to 50. Collectives of a communicator that are looked at before
  /// their pattern counts as learnt. Default 32.
  int pola_lock_events = 32;

  /// AIRAMP_POLA_ASK_ALONG, `pola_ask_along`. true/false. For an expected collective over MPI the ranks ask for each
  /// other's consent along with their first data, instead of before them. Default true.
  bool pola_ask_along = true;

  /// AIRAMP_POLA_POST_RECEIVES, `pola_post_receives`. true/false. The receives of an expected collective over MPI are
  /// posted when the one before it ends. Default false: no gain beyond noise was measured.
  bool pola_post_receives = false;

  /// AIRAMP_ENABLE_GHOST_KERNELS, `enable_ghost_kernels`. true/false. Opts in to tiny kernels that keep a GPU awake
  /// between expected collectives on its buffers (docs/gpu.md), launched by a thread. Default false.
  bool enable_ghost_kernels = false;

  /// AIRAMP_CALL_SITES, `call_sites`. 0 to 16. By how many callers on rank 0's stack the report tells calls apart, with
  /// the time that went into each; some microseconds a call. Needs `telemetry`. Default 0: not at all.
  int call_sites = 0;

  /// AIRAMP_TRACE, `trace`. A folder: every rank writes the sequence and the times of its collectives into a file
  /// there, for `airamp pola replay`. Empty: no trace. Default empty.
  std::string trace;

  /// AIRAMP_TELEMETRY, `telemetry`. true/false. Publishes what this run does in shared memory, for airampd, `airamp
  /// status` and `airamp hang`. Default true.
  bool telemetry = true;

  /// AIRAMP_TELEMETRY_FOLDER, `telemetry_folder`. Where the files of shared memory lie; best in a memory file system.
  /// Default /dev/shm.
  std::string telemetry_folder = "/dev/shm";

  /// AIRAMP_METRICS_ADDR, `metrics_addr`. An IPv4 or IPv6 address: where airampd serves. Default 127.0.0.1.
  std::string metrics_addr = "127.0.0.1";

  /// AIRAMP_METRICS_PORT, `metrics_port`. 0 to 65535; 0: any free one. Where airampd serves. Default 24726.
  int metrics_port = 24726;

  /// AIRAMP_HANDSHAKE_WARNING_SECONDS, `handshake_warning_seconds`. 0 to 86400. After this long in MPI_Init's handshake
  /// a rank asks on stderr whether AIRamp is loaded in every rank. Default 30.
  double handshake_warning_seconds = 30.0;

  /// `declared_types` (file only). A map from datatype names (as set by MPI_Type_set_name) to float16 or bfloat16: what
  /// two-byte datatypes of these names hold. Default empty.
  std::map<std::string, HalfFormat> declared_types;

  bool operator==(const Settings&) const = default;
};

}  // namespace airamp::config
