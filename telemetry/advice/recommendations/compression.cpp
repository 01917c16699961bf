// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/quantity_text.hpp"
#include "telemetry/advice/recommendations/rules.hpp"

namespace airamp::telemetry {
namespace {

using base::percent;

/// The same of one that may change results.
constexpr double worth_an_error = 0.05;
/// 496 elements of two bytes travel as a row of 512 bytes (docs/codecs.md).
constexpr double fewer_bytes = 1.94;
/// Shorter ones are not worth compressing: the time of a message is its latency (docs/performance.md).
constexpr std::uint64_t least_compressed = 64 << 10;

constexpr std::string_view lossy = "results change: they are lossy, within max_relative_error of the native ones";

std::string fewer_bytes_effect(double share) {
  return fmt::format("at most {} times fewer bytes, so at most {} of the run, as an estimate; {}", fewer_bytes,
                     percent(share * (1 - 1 / fewer_bytes)), decided_by_measuring);
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
  if (!(share >= worth_an_error) || !run.several_hosts()) return std::nullopt;
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

}  // namespace

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
  if (!(share >= worth_an_error) || !run.several_hosts()) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::compress_float32,
      .share = share,
      .why = time_spent(run, share, "MPI_Allreduce of large FP32 vectors"),
      .effect = fmt::format("at most {} times fewer bytes; {}", 2 * fewer_bytes, decided_by_measuring),
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
  if (!opted_in || !(share >= worth_an_error) || !run.several_hosts()) return std::nullopt;
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
      .effect = fmt::format("they may be compressed; {}", decided_by_measuring),
      .cost = "results change by as much; first try another AIRAMP_CODEC, such as mxint8"};
  advice.set({{"max_relative_error", fmt::format("{:.2g}", std::min(1.0, 1.1 * largest))}});
  return advice;
}

}  // namespace airamp::telemetry
