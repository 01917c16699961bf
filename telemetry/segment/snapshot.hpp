// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/decision_state.hpp"
#include "core/reason.hpp"

namespace airamp::telemetry {

/// Buckets of a latency histogram: bucket i counts calls of at most 2^i * 256 ns, the last one all that took longer.
inline constexpr std::size_t latency_buckets = 28;

/// Upper bound of a bucket, in seconds; not of the last one, which has none.
constexpr double latency_bound(std::size_t bucket) { return 256e-9 * static_cast<double>(std::uint64_t{1} << bucket); }

/// What one rank has published, copied out of its segment at one moment. Times in seconds, sizes in bytes; NaN stands
/// for "not measured". Every string is valid UTF-8 without control characters and of bounded length.
struct RankSnapshot {
  /// A communicator that this rank has used.
  struct Communicator {
    std::uint64_t key = 0;  ///< equal on all of its ranks, different from the other communicators' of the job
    std::string name;
    int size = 0;
    int rank = 0;
    std::uint64_t collectives = 0;  ///< entered so far, blocking and started ones
    bool freed = false;
    std::string pola_state;         ///< "off", "learning", "locked", "broken"
    std::uint64_t pola_period = 0;  ///< calls; 0: none
    std::uint64_t pola_events = 0;
    std::uint64_t pola_hits = 0;
    std::uint64_t pola_misses = 0;
    double lateness_seconds = 0;  ///< summed: how much later than expected this rank entered
    double waiting_seconds = 0;   ///< summed: between this rank's entering and the last rank's, where it is known
  };

  /// Calls of one function and size on one communicator that took one path.
  struct Traffic {
    std::size_t communicator = 0;  ///< index into `communicators`
    std::string function;          ///< "MPI_Allreduce"
    std::uint64_t size = 0;        ///< lower bound of the power-of-two bucket, bytes
    std::string path;              ///< "native" or an algorithm's name
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;       ///< of the application
    std::uint64_t wire_bytes = 0;  ///< that this rank sent; 0 where it is not known
    double seconds = 0;            ///< summed
    std::array<std::uint64_t, latency_buckets> histogram{};
  };

  /// What calls of a function took that wait for messages or requests.
  struct MessageTime {
    std::string function;  ///< "MPI_Waitall"
    double seconds = 0;
  };

  /// What the tuner has decided for one signature.
  struct Decision {
    std::size_t communicator = 0;
    std::string function;
    std::uint64_t size = 0;
    std::string element;
    std::string op;
    std::string path;  ///< chosen; "native" or an algorithm's name
    DecisionState state = DecisionState::unknown;
    Reason reason = Reason::none;  ///< for this path
    std::string why;               ///< the same for people
    double speedup = 0;
    double relative_error = 0;
    double native_seconds = 0;
    double airamp_seconds = 0;
  };

  /// One of the last collectives, oldest first.
  struct Flight {
    std::uint64_t sequence = 0;  ///< of the communicator's collectives on this rank, from 1
    std::size_t communicator = 0;
    std::string function;
    std::uint64_t bytes = 0;
    std::string path;
    std::string stage;           ///< "agreement", "measuring", "exchange", "done", ...
    double entered_seconds = 0;  ///< since the Unix epoch
    double left_seconds = 0;     ///< 0: still inside
  };

  std::string job;
  std::string host;
  std::string user;   ///< as the rank says
  std::string owner;  ///< who owns the segment, where those of several users are read; empty where not
  int rank = 0;
  int size = 0;
  std::uint64_t process = 0;        ///< process id
  std::uint64_t process_start = 0;  ///< start time as in /proc/PID/stat, clock ticks since boot
  bool alive = false;               ///< the process still runs (same id and start time); see `observable`
  bool finalized = false;
  double finalized_seconds = 0;  ///< since the Unix epoch; 0: it has not
  std::string version;           ///< AIRamp's
  std::string mpi;
  std::string architecture;
  std::string gpu;
  std::string program;
  bool on = false;
  std::string why_off;
  double started_seconds = 0;  ///< since the Unix epoch
  double now_seconds = 0;      ///< when the copy was made
  std::uint64_t agreements = 0;
  std::uint64_t tuning_calls = 0;
  double tuning_seconds = 0;
  std::uint64_t device_scratch_bytes = 0;
  std::uint64_t ghost_kernel_launches = 0;
  std::uint64_t dropped = 0;  ///< figures that found no room in the segment's tables
  std::vector<Communicator> communicators;
  std::vector<Traffic> traffic;
  std::vector<MessageTime> message_times;  ///< of functions that took any
  bool times_messages = false;             ///< whether the clock is cheap enough for that
  std::vector<Decision> decisions;
  std::vector<Flight> flights;
  /// Whether the process is one of this host and pid namespace; if not, `alive` only says that it has not finalized.
  bool observable = false;
  char process_state = 0;  ///< letter of /proc/PID/stat, "T" if stopped; 0: gone or not observable
  // The next three are 0 until `look_at_processes` has looked.
  std::uint64_t resident_bytes = 0;
  std::uint64_t swapped_bytes = 0;
  bool frozen = false;  ///< its cgroup is

  /// Whether it was read on another host, whose /proc is not this one's.
  bool elsewhere = false;

  /// Whether the process is known to run.
  bool runs() const { return observable && alive; }
};

}  // namespace airamp::telemetry
