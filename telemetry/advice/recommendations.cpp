// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/recommendations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/quantity_text.hpp"

namespace airamp::telemetry {
namespace {

using base::percent;

/// A part of the run from which on it is worth somebody's while to change a setting.
constexpr double worth_a_setting = 0.02;
/// The same of one that may change results.
constexpr double worth_an_error = 0.05;
/// 496 elements of two bytes travel as a row of 512 bytes (docs/codecs.md).
constexpr double fewer_bytes = 1.94;
/// Shorter ones are not worth compressing: the time of a message is its latency (docs/performance.md).
constexpr std::uint64_t least_compressed = 64 << 10;

constexpr std::string_view lossy = "results change: they are lossy, within max_relative_error of the native ones";
constexpr std::string_view measured = "AIRamp measures it and keeps the native way where that is as fast";

/// The native time of all kinds of calls that a condition holds for, as a part of the run.
template <class Condition>
double share_of(const RunFigures& run, Condition condition) {
  double seconds = 0;
  for (const KindTime& kind : run.kinds) {
    if (condition(*kind.signature)) seconds += kind.native_seconds;
  }
  return run.share(seconds);
}

bool moves_between_hosts(const RunFigures& run) { return run.hosts > 1; }

/// "12.0 % of the time was spent in MPI_Allreduce of float16 between hosts".
std::string time_spent(const RunFigures& run, double share, std::string_view what) {
  return fmt::format("{} of the time was spent in {}{}", percent(share), what,
                     moves_between_hosts(run) ? ", in a job on several hosts" : "");
}

std::string fewer_bytes_effect(double share) {
  return fmt::format("at most {} times fewer bytes, so at most {} of the run, as an estimate; {}", fewer_bytes,
                     percent(share * (1 - 1 / fewer_bytes)), measured);
}

using Rule = std::optional<Recommendation> (*)(const RunFigures&);

std::optional<Recommendation> impose_nothing(const RunFigures& run) {
  const std::string force = run.setting("force");
  if (force.empty() || force == "none" || !run.report.on) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::impose_nothing,
      .share = run.collective_share,
      .why = fmt::format("AIRAMP_FORCE={} imposed a path, whatever is faster; it is for tests", force),
      .effect = "each kind of calls takes the path that measures fastest"};
  advice.set({{"force", "none"}});
  return advice;
}

std::optional<Recommendation> time_collectives(const RunFigures& run) {
  if (run.setting("telemetry") != "false" || !run.report.on) return std::nullopt;
  Recommendation advice{.kind = RecommendationKind::time_collectives,
                        .why = "the times of collectives are not known, as AIRAMP_TELEMETRY=0",
                        .effect = "the report says what the run waited for",
                        .cost = "less than 50 ns a call"};
  advice.set({{"telemetry", "true"}});
  return advice;
}

std::optional<Recommendation> use_shared_memory(const RunFigures& run) {
  const bool shared = run.ranks_on_host > 1 && run.setting("enable_shared_memory") == "false";
  if (!shared || !(run.collective_share >= worth_a_setting)) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::use_shared_memory,
      .share = run.collective_share,
      .why =
          fmt::format("{}, and AIRAMP_ENABLE_SHARED_MEMORY=0 keeps them from the memory that the ranks of a host share",
                      time_spent(run, run.collective_share, "collectives")),
      .effect = fmt::format("the same bits, sooner; {}", measured)};
  advice.set({{"enable_shared_memory", "true"}});
  return advice;
}

/// The element type of a kind of calls. Of those about which nobody was asked it was not looked at: it is that of
/// others of the function and size, if there are some; else empty.
std::string element_of(const RunFigures& run, const Report::Signature& signature) {
  if (!signature.element.empty()) return signature.element;
  for (const Report::Signature& other : run.report.signatures) {
    const bool alike = other.function == signature.function && other.size == signature.size;
    if (alike && !other.element.empty()) return other.element;
  }
  return {};
}

/// Large vectors that only the missing consent keeps from being compressed.
bool lacks_consent(const Report::Signature& s, std::string_view function) {
  return s.reason == Reason::compression_off && s.function.starts_with(function);
}

std::optional<Recommendation> compress(const RunFigures& run, RecommendationKind kind, std::string_view function,
                                       const char* key) {
  bool known = true;
  const double share = share_of(run, [&](const Report::Signature& s) {
    const std::string element = element_of(run, s);
    if (!lacks_consent(s, function) || !(element.empty() || element.ends_with("float16"))) return false;
    known = known && !element.empty();
    return true;
  });
  if (!(share >= worth_an_error) || !moves_between_hosts(run)) return std::nullopt;
  const std::string vectors = known ? "16-bit floating-point vectors" : "vectors, whose type was not looked at";
  Recommendation advice{.kind = kind,
                        .share = share,
                        .why = time_spent(run, share, fmt::format("{} of large {}", function, vectors)),
                        .effect = (known ? "" : "if they hold FP16 or BF16: ") + fewer_bytes_effect(share),
                        .cost = std::string(lossy)};
  if (!known)
    advice.cost += "; FP32 needs AIRAMP_LOSSY_TYPES=float16,bfloat16,float32 too, and few simulations bear that";
  advice.set({{key, "true"}});
  return advice;
}

std::optional<Recommendation> compress_allreduce(const RunFigures& run) {
  return compress(run, RecommendationKind::compress_allreduce, "MPI_Allreduce", "enable_fp8_allreduce");
}

std::optional<Recommendation> compress_allgather(const RunFigures& run) {
  return compress(run, RecommendationKind::compress_allgather, "MPI_Allgather", "enable_fp8_allgather");
}

std::optional<Recommendation> compress_float32(const RunFigures& run) {
  const double share = share_of(run, [&](const Report::Signature& s) {
    const bool refused = s.reason == Reason::type_not_in_lossy_types && s.function == "MPI_Allreduce";
    return (refused || lacks_consent(s, "MPI_Allreduce")) && element_of(run, s) == "float32";
  });
  if (!(share >= worth_an_error) || !moves_between_hosts(run)) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::compress_float32,
      .share = share,
      .why = time_spent(run, share, "MPI_Allreduce of large FP32 vectors"),
      .effect = fmt::format("at most {} times fewer bytes; {}", 2 * fewer_bytes, measured),
      .cost =
          "results change: of the 24 bits of an FP32 mantissa 4 remain, which few simulations bear; look at its own "
          "results, not at the error alone"};
  advice.set({{"enable_fp8_allreduce", "true"}, {"lossy_types", "float16,bfloat16,float32"}});
  return advice;
}

std::optional<Recommendation> compress_shorter(const RunFigures& run) {
  const bool opted_in = run.setting("enable_fp8_allreduce") == "true" || run.setting("enable_fp8_allgather") == "true";
  const double share = share_of(run, [](const Report::Signature& s) {
    return s.reason == Reason::below_min_bytes && s.size >= least_compressed && s.element.ends_with("float16");
  });
  if (!opted_in || !(share >= worth_an_error) || !moves_between_hosts(run)) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::compress_shorter,
      .share = share,
      .why = time_spent(run, share,
                        fmt::format("16-bit floating-point vectors of {} and more that are shorter than "
                                    "AIRAMP_MIN_BYTES={}",
                                    base::byte_size(least_compressed), run.setting("min_bytes"))),
      .effect = fewer_bytes_effect(share),
      .cost = std::string(lossy)};
  advice.set({{"min_bytes", "64K"}});
  return advice;
}

std::optional<Recommendation> allow_larger_error(const RunFigures& run) {
  double largest = 0;
  const double share = share_of(run, [&](const Report::Signature& s) {
    const bool refused = s.reason == Reason::error_above_bound && s.relative_error < 1;
    if (refused) largest = std::max(largest, s.relative_error);
    return refused;
  });
  if (!(share >= worth_an_error)) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::allow_larger_error,
      .share = share,
      .why = time_spent(run, share,
                        fmt::format("calls whose compressed results were off by a relative error of up to {:.2g}, more "
                                    "than AIRAMP_MAX_RELATIVE_ERROR={}",
                                    largest, run.setting("max_relative_error"))),
      .effect = fmt::format("they may be compressed; {}", measured),
      .cost = "results change by as much; first try another AIRAMP_CODEC, such as mxint8"};
  advice.set({{"max_relative_error", fmt::format("{:.2g}", std::min(1.0, 1.1 * largest))}});
  return advice;
}

std::optional<Recommendation> any_order(const RunFigures& run) {
  const double share = share_of(run, [](const Report::Signature& s) {
    return s.reason == Reason::no_order_of_sums || s.reason == Reason::order_not_asked;
  });
  if (!(share >= worth_a_setting) || run.setting("reduction_order") != "native") return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::any_order,
      .share = share,
      .why = time_spent(run, share,
                        "sums whose order in the MPI library AIRamp does not know and therefore does not touch"),
      .effect = fmt::format("they may go through shared memory; {}", measured),
      .cost = "last digits of floating-point sums may differ from the MPI library's, and from run to run"};
  advice.set({{"reduction_order", "any"}});
  return advice;
}

std::optional<Recommendation> native_order(const RunFigures& run) {
  double seconds = 0;
  for (const Report::Signature& s : run.report.signatures) {
    const double lost = s.airamp_median_seconds - s.native_median_seconds;
    if (s.reason == Reason::order_promised && lost > 0) seconds += lost * static_cast<double>(s.accelerated_calls);
  }
  const double share = run.share(seconds);
  if (!(share >= worth_a_setting)) return std::nullopt;
  Recommendation advice{.kind = RecommendationKind::native_order,
                        .share = share,
                        .why = fmt::format("AIRAMP_REDUCTION_ORDER={} cost an estimated {} of the run",
                                           run.setting("reduction_order"), percent(share)),
                        .effect = "that time, as an estimate",
                        .cost = "the promise: sums have the MPI library's last digits again"};
  advice.set({{"reduction_order", "native"}});
  return advice;
}

std::optional<Recommendation> more_host_scratch(const RunFigures& run) {
  const double share = share_of(run, [](const Report::Signature& s) { return s.reason == Reason::not_measurable; });
  if (!(share >= worth_a_setting)) return std::nullopt;
  Recommendation advice{.kind = RecommendationKind::more_host_scratch,
                        .share = share,
                        .why = time_spent(run, share, "calls for which there was no memory to measure AIRamp's way"),
                        .effect = "they are measured, if it was this limit and not the host's memory",
                        .cost = "that much memory of each rank"};
  advice.set({{"host_scratch", "1G"}});
  return advice;
}

std::optional<Recommendation> ask_first(const RunFigures& run) {
  std::uint64_t asked = 0;
  std::uint64_t vetoed = 0;
  for (const Report::Signature& s : run.report.signatures) {
    asked += s.piggybacked_calls;
    vetoed += s.vetoed_calls;
  }
  constexpr std::uint64_t few = 20;
  if (vetoed < few || 4 * vetoed < asked + vetoed) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::ask_first,
      .why = fmt::format("of {} calls that PoLA expected, {} came otherwise on some rank and were agreed "
                         "on twice",
                         asked + vetoed, vetoed),
      .effect = "no call is agreed on twice",
      .cost = "expected calls between hosts pay a round trip again"};
  advice.set({{"pola_ask_along", "false"}});
  return advice;
}

std::optional<Recommendation> fewer_ranks(const RunFigures& run) {
  const Report::Host* const host = run.crowded_host();
  if (host == nullptr) return std::nullopt;
  const auto processors = static_cast<std::uint64_t>(host->processors);
  return Recommendation{.kind = RecommendationKind::fewer_ranks,
                        .action = fmt::format("start at most {} on host {}, or bind them to more processors",
                                              base::counted(processors, "rank", "ranks"), host->name),
                        .why = fmt::format("{} ranks shared {} of host {}", host->ranks,
                                           base::counted(processors, "processor", "processors"), host->name),
                        .effect = "a rank that waits holds no processor that the others need",
                        .cost = {}};
}

/// By the paths themselves: what measuring took, a longer run may repay.
bool was_slower(const RunFigures& run) { return run.net_share < -0.01 && run.gain.saved_seconds < 0; }

bool gained_nothing(const RunFigures& run) {
  return was_slower(run) || (run.little_time() && !(run.net_share > 0)) ||
         (run.collective_calls == 0 && run.gain.calls == 0);
}

std::optional<Recommendation> leave_off(const RunFigures& run) {
  if (!run.report.on || !gained_nothing(run)) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::leave_off,
      .why = was_slower(run) ? fmt::format("AIRamp cost an estimated {} of the run", percent(-run.net_share))
                             : "there is next to no time in collectives that AIRamp could save",
      .effect = fmt::format("the time of measuring, {} in this run", base::duration(run.gain.tuning_seconds))};
  advice.set({{"disable", "true"}});
  return advice;
}

constexpr std::array<Rule, 14> rules = {impose_nothing,     use_shared_memory, compress_allreduce, compress_allgather,
                                        any_order,          native_order,      compress_float32,   compress_shorter,
                                        allow_larger_error, more_host_scratch, ask_first,          time_collectives,
                                        fewer_ranks,        leave_off};

}  // namespace

std::vector<Recommendation> recommendations_of(const RunFigures& run) {
  std::vector<Recommendation> found;
  for (const Rule rule : rules) {
    if (std::optional<Recommendation> advice = rule(run)) found.push_back(std::move(*advice));
  }
  return found;
}

}  // namespace airamp::telemetry
