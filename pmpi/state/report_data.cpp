// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/report_data.hpp"

#include <errno.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <optional>
#include <tuple>

#include "config/load.hpp"
#include "core/collective_kind.hpp"
#include "core/size_bucket.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/call_sites/address_name.hpp"
#include "pmpi/state/call_sites/call_sites.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/unasked_calls.hpp"
#include "pmpi/types/op_info.hpp"
#include "pmpi/version.hpp"
#include "telemetry/segment/quantile.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {
namespace {

using telemetry::Report;

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// The plain and the large-count name of a kind.
struct Names {
  Function plain;
  std::optional<Function> large_count;

  bool include(Function function) const { return function == plain || function == large_count; }
};

constexpr Names names_of(Kind kind) {
  switch (kind) {
    case Kind::allreduce:
      return {Function::MPI_Allreduce, Function::MPI_Allreduce_c};
    case Kind::allgather:
      return {Function::MPI_Allgather, Function::MPI_Allgather_c};
    case Kind::allgatherv:
      return {Function::MPI_Allgatherv, Function::MPI_Allgatherv_c};
    case Kind::reduce_scatter_block:
      return {Function::MPI_Reduce_scatter_block, Function::MPI_Reduce_scatter_block_c};
    case Kind::bcast:
      return {Function::MPI_Bcast, Function::MPI_Bcast_c};
    case Kind::reduce:
      return {Function::MPI_Reduce, Function::MPI_Reduce_c};
    case Kind::barrier:
      return {Function::MPI_Barrier, std::nullopt};
    case Kind::alltoall:
      return {Function::MPI_Alltoall, Function::MPI_Alltoall_c};
    case Kind::gather:
      return {Function::MPI_Gather, Function::MPI_Gather_c};
    case Kind::scatter:
      return {Function::MPI_Scatter, Function::MPI_Scatter_c};
    case Kind::reduce_scatter:
      return {Function::MPI_Reduce_scatter, Function::MPI_Reduce_scatter_c};
    case Kind::scan:
      return {Function::MPI_Scan, Function::MPI_Scan_c};
    case Kind::exscan:
      return {Function::MPI_Exscan, Function::MPI_Exscan_c};
    case Kind::gatherv:
      return {Function::MPI_Gatherv, Function::MPI_Gatherv_c};
    case Kind::scatterv:
      return {Function::MPI_Scatterv, Function::MPI_Scatterv_c};
    case Kind::alltoallv:
      return {Function::MPI_Alltoallv, Function::MPI_Alltoallv_c};
    case Kind::iallreduce:
      return {Function::MPI_Iallreduce, Function::MPI_Iallreduce_c};
    case Kind::ibarrier:
      return {Function::MPI_Ibarrier, std::nullopt};
    case Kind::allreduce_init:
      return {Function::MPI_Allreduce_init, Function::MPI_Allreduce_init_c};
    case Kind::barrier_init:
      return {Function::MPI_Barrier_init, std::nullopt};
    case Kind::alltoallw:
      break;
  }
  return {Function::MPI_Alltoallw, Function::MPI_Alltoallw_c};
}

static_assert(std::all_of(every_kind.begin(), every_kind.end(), [](Kind kind) {
  return function_names[static_cast<std::size_t>(names_of(kind).plain)] == to_string(kind);
}));

/// Calls that the communicators' records account for, by kind and bucket.
struct Accounted {
  std::map<std::pair<Kind, unsigned>, NativeCalls> calls;
};

struct Collection {
  Report& report;
  Accounted accounted;
};

/// The candidate that a signature's figures are about: the chosen one, or the best there was.
std::size_t candidate_of(const SignatureState& state, int choice) {
  if (choice != tuner::SignatureTuner::native_choice) return static_cast<std::size_t>(choice);
  std::size_t best = 0;
  for (std::size_t i = 1; i < state.candidates.size(); ++i) {
    if (state.tuner.candidate_seconds(i) < state.tuner.candidate_seconds(best)) best = i;
  }
  return best;
}

DecisionState state_of(const SignatureState& signature) {
  if (signature.failure != MPI_SUCCESS) return DecisionState::failed;
  const bool is_final = signature.candidates.is_imposed() || signature.not_acquired();
  return is_final || signature.tuner.decided() ? DecisionState::decided : DecisionState::measuring;
}

Report::Signature native_row(std::string_view function, unsigned bucket, const NativeCalls& calls,
                             const Explanation& why) {
  return {.function = std::string(function),
          .size = bucket_lower_bound(bucket),
          .path = "native",
          .state = DecisionState::not_eligible,
          .calls = calls.calls,
          .bytes = calls.bytes,
          .native_median_seconds = not_measured,
          .airamp_median_seconds = not_measured,
          .speedup = not_measured,
          .relative_error = not_measured,
          .maximum_error = not_measured,
          .reason = why.reason,
          .why = to_text(why)};
}

/// What is said of reductions that a promised order does not reach. No order changes the others' results.
std::string without_promise(const RefusalKey& key) {
  const bool is_whole = key.element.starts_with("int") || key.element.starts_with("uint");
  const bool selects = key.op == to_string(ReduceOp::max) || key.op == to_string(ReduceOp::min);
  const bool may_differ = reduces(key.kind) && !is_whole && !selects;
  return promises_bits(job().settings.reduction_order) && may_differ ? "reduction_order does not hold" : "";
}

/// By the publisher's clock.
double seconds_of(std::uint64_t ticks) {
  const std::uint64_t now = publisher().now();
  const std::int64_t nanoseconds =
      publisher().nanoseconds_since_open(now + ticks) - publisher().nanoseconds_since_open(now);
  return 1e-9 * static_cast<double>(nanoseconds);
}

void collect(void* context, const std::string& live_name, const CommunicatorState& state) {
  auto& collection = *static_cast<Collection*>(context);
  const bool live = !live_name.empty();
  const std::string name = live ? live_name : "freed communicators";
  if (live && state.pola.counters().events != 0) collection.report.patterns.push_back(describe_pattern(name, state));
  if (const telemetry::CloseCallCounter& close = state.close_calls; close.groups() != 0) {
    collection.report.close_calls.push_back({.communicator = name,
                                             .groups = close.groups(),
                                             .calls = close.calls(),
                                             .seconds = seconds_of(close.following_ticks())});
  }
  for (const auto& [key, signature] : state.signatures) {
    collection.report.signatures.push_back(describe(name, key, signature));
    collection.report.tuning_calls += signature.tuning_calls;
    collection.report.tuning_seconds += signature.tuning_seconds;
    // the counters know no lengths of such calls, on which the ranks agree first
    const unsigned counted_in = has_blocks_of_any_length(key.kind) ? size_bucket(0) : key.bucket;
    NativeCalls& accounted = collection.accounted.calls[{key.kind, counted_in}];
    accounted.calls += signature.calls;
    accounted.bytes += signature.bytes;
  }
  for (const auto& [key, calls] : state.refusals) {
    Report::Signature row =
        native_row(to_string(key.kind), key.bucket, calls, {.reason = key.why, .detail = without_promise(key)});
    row.communicator = name;
    row.element = key.element;
    row.op = key.op;
    collection.report.signatures.push_back(std::move(row));
    NativeCalls& accounted = collection.accounted.calls[{key.kind, key.bucket}];
    accounted.calls += calls.calls;
    accounted.bytes += calls.bytes;
  }
}

/// Why calls of this kind and size went native without an agreement.
Explanation why_native(Kind kind, unsigned bucket) {
  const Job& j = job();
  const bool gathers = kind == Kind::allgather || kind == Kind::allgatherv;
  const bool opted_in =
      kind == Kind::allreduce ? j.settings.enable_fp8_allreduce : gathers && j.settings.enable_fp8_allgather;
  return why_not_asked({.on = j.on.load(),
                        .why_off = j.why_off,
                        .gpus = j.gpus,
                        .shared_memory = is_for_shared_memory(kind),
                        .one_host = j.size <= j.max_ranks_on_host && j.settings.ranks_per_host == 0,
                        .forced_native = j.settings.force == config::Force::native,
                        .min_bytes = j.settings.min_bytes},
                       {.kind = kind, .max_bytes = bucket_upper_bound(bucket), .opted_in = opted_in});
}

/// Rows for what the counters saw and no communicator's record accounts for.
void add_unaccounted(Report& report, const Accounted& accounted) {
  for (Kind kind : every_kind) {
    for (unsigned bucket = 0; bucket < size_buckets; ++bucket) {
      NativeCalls seen;
      const auto add = [&](Function function) {
        const auto& cell = job().counters.cell(static_cast<std::size_t>(function), bucket);
        seen.calls += cell.calls.load();
        seen.bytes += cell.bytes.load();
      };
      const Names names = names_of(kind);
      add(names.plain);
      if (names.large_count) add(*names.large_count);
      if (const auto known = accounted.calls.find({kind, bucket}); known != accounted.calls.end()) {
        seen.calls -= std::min(seen.calls, known->second.calls);
        seen.bytes -= std::min(seen.bytes, known->second.bytes);
      }
      const Explanation why = why_native(kind, bucket);
      // of what is passed through, calls without data are among the functions alone
      const bool shown = bucket != 0 || why.reason != Reason::function_passed_through;
      if (seen.calls != 0 && shown) report.signatures.push_back(native_row(to_string(kind), bucket, seen, why));
    }
  }
}

bool accelerated_function(std::size_t function) {
  return std::any_of(every_kind.begin(), every_kind.end(),
                     [&](Kind kind) { return names_of(kind).include(static_cast<Function>(function)); });
}

void add_passed_through(Report& report) {
  for (std::size_t function = 0; function < function_count; ++function) {
    const std::uint64_t calls = job().counters.calls(function);
    if (calls != 0) report.functions.emplace_back(function_names[function], calls);
    if (accelerated_function(function)) continue;
    for (unsigned bucket = 1; bucket < size_buckets; ++bucket) {
      const auto& cell = job().counters.cell(function, bucket);
      if (cell.calls.load() == 0) continue;
      report.signatures.push_back(native_row(function_names[function], bucket,
                                             {.calls = cell.calls.load(), .bytes = cell.bytes.load()},
                                             {.reason = Reason::function_passed_through}));
    }
  }
}

void add_traffic(Report& report) {
  if (!publisher().publishes()) return;
  const telemetry::RankSnapshot own = own_publication();
  for (const telemetry::RankSnapshot::Traffic& row : own.traffic) {
    report.traffic.push_back({.function = row.function,
                              .communicator = own.communicators[row.communicator].name,
                              .ranks = own.communicators[row.communicator].size,
                              .size = row.size,
                              .path = row.path,
                              .calls = row.calls,
                              .bytes = row.bytes,
                              .seconds = row.seconds,
                              .p50_seconds = telemetry::quantile(row.histogram, 0.5),
                              .p99_seconds = telemetry::quantile(row.histogram, 0.99)});
  }
}

/// After the functions are known.
void add_messages(Report& report) {
  if (!publisher().times_messages()) return;
  std::map<std::string, std::uint64_t> calls(report.functions.begin(), report.functions.end());
  for (const telemetry::RankSnapshot::MessageTime& time : own_publication().message_times) {
    report.messages.push_back(
        {.function = time.function, .calls = {.calls = calls[time.function], .seconds = time.seconds}});
  }
}

void add_call_sites(Report& report) {
  constexpr std::size_t most = 50;
  const CallSites* const sites = call_sites.load();
  if (sites == nullptr) return;
  for (const auto& [key, sums] : sites->most_expensive(most)) {
    Report::CallSite row{.function = std::string(function_names[static_cast<std::size_t>(key.function)]),
                         .stack = {},
                         .calls = {.calls = sums.calls, .seconds = seconds_of(sums.ticks)},
                         .bytes = sums.bytes};
    for (const void* address : key.frames)
      if (address != nullptr) row.stack.push_back(name_of_call(address));
    report.call_sites.push_back(std::move(row));
  }
}

std::string utc_text(std::time_t seconds) {
  std::tm parts{};
  std::array<char, 32> text{};
  gmtime_r(&seconds, &parts);
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

/// The lines "key: value" of to_text as a map.
std::map<std::string, std::string> as_map(const std::string& text) {
  std::map<std::string, std::string> map;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
      map[line.substr(0, colon)] = line.substr(colon + 2);
    }
    begin = end + 1;
  }
  return map;
}

}  // namespace

Function function_of(Kind kind) { return names_of(kind).plain; }

Report::Signature describe(const std::string& communicator, const SignatureKey& key, const SignatureState& state) {
  const bool forced = state.candidates.is_imposed();
  const int choice = forced ? static_cast<int>(state.imposed_choice) : state.tuner.choice();
  const bool accelerated = !state.not_acquired() && choice != tuner::SignatureTuner::native_choice;
  const Explanation why = state.why();
  Report::Signature row{.function = std::string(to_string(key.kind)),
                        .communicator = communicator,
                        .size = bucket_lower_bound(key.bucket),
                        .element = is_barrier(key.kind) ? "" : std::string(to_string(key.type)),
                        .op = reduces(key.kind) ? std::string(to_string(key.op)) : "",
                        .path = "native",
                        .state = state_of(state),
                        .calls = state.calls,
                        .accelerated_calls = state.accelerated_calls,
                        .piggybacked_calls = state.piggybacked_calls,
                        .vetoed_calls = state.vetoed_calls,
                        .bytes = state.bytes,
                        .native_median_seconds = state.native_seconds.median(),
                        .airamp_median_seconds = state.airamp_seconds.median(),
                        .speedup = not_measured,
                        .relative_error = not_measured,
                        .maximum_error = not_measured,
                        .reason = why.reason,
                        .why = to_text(why)};
  if (state.candidates.size() == 0) return row;
  const std::size_t candidate = candidate_of(state, choice);
  if (accelerated) row.path = to_string(state.candidates[candidate]);
  row.speedup = state.tuner.speedup(candidate);
  row.relative_error = state.tuner.relative_error(candidate);
  row.maximum_error = state.tuner.maximum_error(candidate);
  return row;
}

Report::Pattern describe_pattern(const std::string& communicator, const CommunicatorState& state) {
  const pola::Stream::Counters& pattern = state.pola.counters();
  return {.communicator = communicator,
          .state = pola::name_of(state.pola.state()),
          .period = state.pola.period(),
          .calls = pattern.events,
          .hits = pattern.hits,
          .misses = pattern.misses,
          .locks = pattern.locks,
          .breaks = pattern.breaks,
          .changes = state.pattern_changes};
}

Report make_report(const RankCosts& costs) {
  const Job& j = job();
  Report report{.version = release_version,
                .mpi = j.library_version,
                .ranks = j.size,
                .on = j.on.load(),
                .why_off = j.on.load() ? "" : j.why_off};
  report.settings = as_map(config::to_text(j.settings));
  Collection collection{report, {}};
  for_each_communicator_state(collect, &collection);
  const auto& freed = patterns_of_freed_communicators();
  report.patterns.insert(report.patterns.end(), freed.begin(), freed.end());
  add_unaccounted(report, collection.accounted);
  add_passed_through(report);
  add_traffic(report);
  add_messages(report);
  add_call_sites(report);
  report.run_seconds = j.since_start.seconds();
  report.started = utc_text(j.started);
  report.program = program_invocation_name;
  report.rank_costs = costs.ranks;
  report.hosts = costs.hosts;
  report.advice = telemetry::advise(report);
  return report;
}

}  // namespace airamp::pmpi
