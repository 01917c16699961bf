// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/metric.hpp"

#include <array>

namespace airamp::telemetry {
namespace {

using enum MetricType;

constexpr std::array families{
    MetricFamily{Metric::up, "airamp_up", gauge, "", "Whether the folder of segments could be read last time."},
    MetricFamily{Metric::info, "airamp", info, "", "What the job's ranks on this host run; always 1."},
    MetricFamily{Metric::status, "airamp_status", gauge, "", "1 where AIRamp is on in a rank, 0 where it is off."},
    MetricFamily{Metric::rank_alive, "airamp_rank_alive", gauge, "", "1 while the rank's process runs."},
    MetricFamily{Metric::rank_finalized, "airamp_rank_finalized", gauge, "", "1 once the rank called MPI_Finalize."},
    MetricFamily{Metric::ranks, "airamp_ranks", gauge, "", "The job's ranks on this host, by what is known of them."},
    MetricFamily{Metric::ranks_off, "airamp_ranks_off", gauge, "",
                 "Ranks on this host that run and in which AIRamp is off."},
    MetricFamily{Metric::job_ranks, "airamp_job_ranks", gauge, "", "Ranks of the job, on all hosts."},
    MetricFamily{Metric::job_start_time, "airamp_job_start_time_seconds", gauge, "seconds",
                 "When the job's first rank here called MPI_Init, since the Unix epoch."},
    MetricFamily{Metric::calls, "airamp_calls", counter, "",
                 "Collective calls that ended, by the path that they took."},
    MetricFamily{Metric::payload_bytes, "airamp_payload_bytes", counter, "bytes",
                 "Bytes of the application in these calls."},
    MetricFamily{Metric::wire_bytes, "airamp_wire_bytes", counter, "bytes",
                 "Bytes that ranks sent in these calls, where AIRamp knows."},
    MetricFamily{Metric::collective_seconds, "airamp_collective_seconds", counter, "seconds",
                 "Time in these calls, summed over the job's ranks on this host."},
    MetricFamily{Metric::collective_duration, "airamp_collective_duration_seconds", histogram, "seconds",
                 "Time of collective calls, from entering to leaving, of all of the job's ranks on this host."},
    MetricFamily{Metric::message_seconds, "airamp_message_seconds", counter, "seconds",
                 "Time in calls that wait for messages or requests, summed over the job's ranks on this host."},
    MetricFamily{Metric::inside_collective, "airamp_inside_collective_seconds", gauge, "seconds",
                 "How long the oldest collective has lasted that a rank is inside of; 0 if there is none."},
    MetricFamily{Metric::waiting, "airamp_waiting_seconds", counter, "seconds",
                 "Time that ranks waited in collectives for those that entered later."},
    MetricFamily{Metric::lateness, "airamp_lateness_seconds", counter, "seconds",
                 "How much later than expected the rank entered collectives, summed."},
    MetricFamily{Metric::lateness_median, "airamp_lateness_median_seconds", counter, "seconds",
                 "Median of airamp_lateness_seconds over the job's ranks on this host."},
    MetricFamily{Metric::tuner_signatures, "airamp_tuner_signatures", gauge, "",
                 "Signatures of the tuner, by state and by the path of their calls."},
    MetricFamily{Metric::fallbacks, "airamp_fallbacks", gauge, "",
                 "Signatures that are left to the MPI library's own algorithm, by reason."},
    MetricFamily{Metric::speedup, "airamp_speedup_ratio", gauge, "ratio",
                 "Measured time of native over that of the best candidate."},
    MetricFamily{Metric::relative_error, "airamp_relative_error_ratio", gauge, "ratio",
                 "Measured relative L2 error of the best candidate against the native result."},
    MetricFamily{Metric::agreements, "airamp_agreements", counter, "", "Agreements that ranks took part in."},
    MetricFamily{Metric::tuning_calls, "airamp_tuning_calls", counter, "", "Calls that measured native and AIRamp."},
    MetricFamily{Metric::tuning, "airamp_tuning_seconds", counter, "seconds",
                 "Time that measuring took beyond the native calls."},
    MetricFamily{Metric::pola_state, "airamp_pola_state", stateset, "",
                 "State of the Pattern of Life Analysis of a communicator."},
    MetricFamily{Metric::pola_period, "airamp_pola_period_calls", gauge, "calls",
                 "Period of the communicator's sequence of collectives; 0 before one is known."},
    MetricFamily{Metric::pola_predictions, "airamp_pola_predictions", counter, "",
                 "Predictions of the Pattern of Life Analysis, by result."},
    MetricFamily{Metric::device_scratch, "airamp_device_scratch_bytes", gauge, "bytes",
                 "GPU memory that ranks hold as scratch."},
    MetricFamily{Metric::ghost_kernel_launches, "airamp_ghost_kernel_launches", counter, "",
                 "Kernels that ranks launched to keep the GPU awake between collectives."},
    MetricFamily{Metric::figures_dropped, "airamp_figures_dropped", counter, "",
                 "Figures that found no room in the ranks' segments."},
    MetricFamily{Metric::label_sets_omitted, "airamp_label_sets_omitted", gauge, "",
                 "Label sets of a job above the exporter's limit: folded into the label other, or left out."},
    MetricFamily{Metric::segment_errors, "airamp_segment_errors", counter, "",
                 "Times that a segment was skipped because it could not be read or was damaged."},
    MetricFamily{Metric::read_duration, "airamp_read_duration_seconds", gauge, "seconds",
                 "Time that reading all segments took last time."},
    MetricFamily{Metric::http_requests, "airamp_http_requests", counter, "", "HTTP requests answered, by status code."},
    MetricFamily{Metric::http_connections, "airamp_http_connections", gauge, "", "HTTP connections that are open."}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (families[i].metric != static_cast<Metric>(i)) return false;
  }
  return true;
}
static_assert(families.size() == metric_count && in_order());

}  // namespace

std::span<const MetricFamily> metric_families() noexcept { return families; }

const MetricFamily& family_of(Metric metric) noexcept { return families[static_cast<std::size_t>(metric)]; }

std::string_view to_string(MetricType type) noexcept {
  switch (type) {
    case gauge:
      return "gauge";
    case counter:
      return "counter";
    case histogram:
      return "histogram";
    case info:
      return "info";
    case stateset:
      return "stateset";
  }
  return "unknown";
}

std::string_view sample_suffix(MetricType type) noexcept {
  if (type == counter) return "_total";
  return type == info ? "_info" : "";
}

}  // namespace airamp::telemetry
