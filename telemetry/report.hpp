// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/decision_state.hpp"
#include "core/reason.hpp"
#include "telemetry/advice/advice.hpp"

namespace airamp::telemetry {

/// What a run's report says; quantities are rank 0's, times in seconds. NaN stands for "not measured".
struct Report {
  /// One kind of call: a function, a size bucket and, where it mattered, communicator, element type and reduction.
  struct Signature {
    std::string function;
    std::string communicator;  ///< empty: all communicators together
    std::uint64_t size = 0;    ///< lower bound of the power-of-two bucket, bytes
    std::string element;
    std::string op;
    std::string path;  ///< of the last call: "native" or an algorithm's name
    DecisionState state = DecisionState::unknown;
    std::uint64_t calls = 0;
    std::uint64_t accelerated_calls = 0;
    std::uint64_t piggybacked_calls = 0;  ///< of those: expected ones, in which the ranks agreed along with their data
    std::uint64_t vetoed_calls = 0;       ///< expected, but some rank saw another call
    std::uint64_t bytes = 0;
    double native_median_seconds = 0;
    double airamp_median_seconds = 0;
    double speedup = 0;
    double relative_error = 0;
    double maximum_error = 0;
    Reason reason = Reason::none;  ///< why this path
    std::string why;               ///< the same for people
  };

  /// PoLA locked a pattern, or lost it.
  struct PatternChange {
    std::string state;       ///< the new one
    std::uint64_t call = 0;  ///< of the communicator's that PoLA saw
    double seconds = 0;      ///< since MPI_Init
  };

  /// What PoLA has learnt of a communicator.
  struct Pattern {
    std::string communicator;
    std::string state;         ///< "learning", "locked" or "broken"
    std::uint64_t period = 0;  ///< calls; 0: none
    std::uint64_t calls = 0;
    std::uint64_t hits = 0;    ///< calls that came while it was locked as expected
    std::uint64_t misses = 0;  ///< and those that did not
    std::uint64_t locks = 0;
    std::uint64_t breaks = 0;
    std::vector<PatternChange> changes;  ///< the first of them
  };

  /// Collectives of one function, size and path on one communicator.
  struct Traffic {
    std::string function;
    std::string communicator;
    int ranks = 0;           ///< of the communicator; 0: of several
    std::uint64_t size = 0;  ///< lower bound of the power-of-two bucket, bytes
    std::string path;        ///< "native" or an algorithm's name
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
    double seconds = 0;  ///< summed
    double p50_seconds = 0;
    double p99_seconds = 0;
  };

  /// Calls of a rank and the time that they took.
  struct Calls {
    std::uint64_t calls = 0;
    double seconds = 0;
  };

  /// What a rank spent on collectives and on messages.
  struct Rank {
    std::string host;
    double collective_seconds = 0;
    double message_seconds = std::nan("");   ///< in calls that wait for messages or requests
    double waiting_seconds = 0;              ///< for the others, in agreements
    double lateness_seconds = 0;             ///< later than expected
    std::map<std::string, Calls> functions;  ///< blocking collectives, by the plain name
  };

  /// Calls of a function that waits for messages or requests.
  struct Messages {
    std::string function;
    Calls calls;
  };

  /// A host of the job.
  struct Host {
    std::string name;
    int ranks = 0;
    int processors = 0;  ///< that its ranks may run on, all together; 0: not known
  };

  /// Small allreduces on one communicator that came close after each other.
  struct CloseCalls {
    std::string communicator;
    std::uint64_t groups = 0;  ///< of calls that came one after the other
    std::uint64_t calls = 0;   ///< in them
    double seconds = 0;        ///< that all of them but the first of each group took
  };

  /// A place in the program, from which a call was made.
  struct Frame {
    std::string object;        ///< its file; empty: not known
    std::uint64_t offset = 0;  ///< in that, as `addr2line` wants it
    std::string symbol;        ///< the function, if the file exports it
  };

  /// Calls of a function from one place of the program.
  struct CallSite {
    std::string function;
    std::vector<Frame> stack;  ///< innermost first; empty: from all other places
    Calls calls;
    std::uint64_t bytes = 0;
  };

  std::string version;
  std::string mpi;
  int ranks = 0;
  bool on = false;
  std::string why_off;
  std::map<std::string, std::string> settings;
  std::vector<std::pair<std::string, std::uint64_t>> functions;  ///< calls per entry point
  std::vector<Signature> signatures;
  std::vector<Pattern> patterns;
  std::vector<Traffic> traffic;
  std::vector<Messages> messages;  ///< by function; empty if they were not timed
  std::vector<Rank> rank_costs;    ///< by rank; empty if nothing was published
  std::vector<Host> hosts;         ///< the same
  std::vector<CloseCalls> close_calls;
  std::vector<CallSite> call_sites;  ///< those in which the most time went; empty if nobody asked for them
  double run_seconds = 0;            ///< from MPI_Init to MPI_Finalize
  std::string started;               ///< MPI_Init, as ISO 8601 has it, UTC
  std::string program;
  std::uint64_t tuning_calls = 0;
  double tuning_seconds = 0;
  Advice advice;  ///< what all of that says
};

/// The report as a JSON object (the format is described in docs/report.md). May throw std::bad_alloc.
std::string to_json(const Report& report);

/// The report as a table for people. May throw std::bad_alloc.
std::string to_text(const Report& report);

/// Writes the report to `destination`: "stderr", or a file, as JSON if its name ends in .json and as text otherwise.
/// Returns an empty string, or what went wrong. Never throws.
std::string write_report(const Report& report, const std::string& destination) noexcept;

}  // namespace airamp::telemetry
