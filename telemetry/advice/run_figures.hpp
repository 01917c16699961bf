// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "telemetry/advice/gain.hpp"
#include "telemetry/report.hpp"

namespace airamp::telemetry {

/// A kind of calls with the time that they took on rank 0.
struct KindTime {
  const Report::Signature* signature = nullptr;
  /// Of those that went natively: kinds of the same function and size share their time by their calls. Seconds.
  double native_seconds = 0;
};

/// What the rules of the advice look at: a report, and what follows from it. Shares are of the time of the run, from 0
/// to 1, and NaN where they are not known.
struct RunFigures {
  const Report& report;  ///< outlives this
  Gain gain;
  int hosts = 1;          ///< real or emulated ones
  int ranks_on_host = 1;  ///< of the host that has most
  std::uint64_t collective_calls = 0;
  std::uint64_t size_limit = 0;            ///< all collectives with a known size are smaller, bytes; 0: none has a size
  double collective_share = std::nan("");  ///< the mean of the ranks; rank 0's where nothing is known of the others
  double own_share = std::nan("");         ///< rank 0's in collectives
  double message_share = std::nan("");     ///< in calls that wait for messages or requests, likewise
  double least_share = std::nan("");       ///< of the rank that spent least in collectives
  std::size_t least_rank = 0;              ///< that rank
  double net_share = std::nan("");         ///< what AIRamp saved, less what measuring took; negative: it cost that
  std::vector<KindTime> kinds;             ///< one for each signature

  double share(double seconds) const { return seconds / report.run_seconds; }
  bool several_hosts() const { return hosts > 1; }
  bool timed() const { return !report.traffic.empty(); }
  /// The host with most ranks for a processor, if there are more ranks than processors; else nullptr.
  const Report::Host* crowded_host() const;
  /// Too little for any other path to matter.
  bool little_time() const { return collective_share < 0.02; }
  /// Most of the time in collectives is waiting for ranks that come late. On the rank that spends least in them they
  /// take what the exchange takes, if that rank always comes last, or more.
  bool mostly_waiting() const { return least_share < 0.5 * collective_share && collective_share - least_share >= 0.05; }
  /// The value of a setting as the report has it; empty if it does not.
  std::string setting(const std::string& key) const;
};

/// May throw std::bad_alloc.
RunFigures figures_of(const Report& report);

/// "MPI_Allreduce" of "MPI_Allreduce_c".
std::string plain_name(std::string function);

}  // namespace airamp::telemetry
