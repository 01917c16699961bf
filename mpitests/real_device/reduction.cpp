// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace airamp::gpu_tests {
namespace {

// The inputs of one element, summed up.
struct Facts {
  long double exact = 0.0L;
  long double positive = 0.0L;  // sum of the positive inputs
  long double negative = 0.0L;  // sum of the magnitudes of the negative ones
  bool nan = false;
  bool positive_infinity = false;
  bool negative_infinity = false;

  void add(double value) {
    nan = nan || std::isnan(value);
    if (std::isinf(value)) (value > 0 ? positive_infinity : negative_infinity) = true;
    if (!std::isfinite(value)) return;
    exact += value;
    (value > 0 ? positive : negative) += std::fabs(static_cast<long double>(value));
  }
  bool finite() const { return !nan && !positive_infinity && !negative_infinity; }
};

// A sum of finite inputs may only leave the type's range where inputs of one sign do.
bool right_sum(const Facts& facts, double got, long double bound, double limit, bool quantised) {
  if (!facts.finite()) {
    if (quantised) return !std::isfinite(got);
    if (facts.nan || (facts.positive_infinity && facts.negative_infinity)) return std::isnan(got);
    // Finite inputs may have left the range the other way before.
    if (std::isnan(got)) return (facts.positive_infinity ? facts.negative : facts.positive) + bound >= limit;
    return std::isinf(got) && (got > 0) == facts.positive_infinity;
  }
  if (std::isfinite(got)) return std::fabs(got - facts.exact) <= bound;
  const bool above = facts.positive + bound >= limit;
  const bool below = facts.negative + bound >= limit;
  if (quantised) return above || below;
  if (std::isnan(got)) return above && below;
  return got > 0 ? above : below;
}

template <typename Integer>
Integer reduced(Meaning meaning, Integer a, Integer b) {
  using Unsigned = std::make_unsigned_t<Integer>;
  switch (meaning) {
    case Meaning::sum:
      return static_cast<Integer>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    case Meaning::prod:
      return static_cast<Integer>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    case Meaning::max:
      return std::max(a, b);
    case Meaning::min:
      break;
  }
  return std::min(a, b);
}

template <typename Integer>
std::string compare_as(const Reduction& reduction, const std::byte* got) {
  for (std::size_t i = 0; i < reduction.count; ++i) {
    Integer expected{};
    for (std::size_t rank = 0; rank < reduction.inputs.size(); ++rank) {
      Integer value{};
      std::memcpy(&value, reduction.inputs[rank].data() + i * sizeof value, sizeof value);
      expected = rank == 0 ? value : reduced(reduction.meaning, expected, value);
    }
    Integer value{};
    std::memcpy(&value, got + i * sizeof value, sizeof value);
    if (value != expected) return mistake_at(i, static_cast<double>(expected), static_cast<double>(value));
  }
  return "";
}

// Largest or smallest number among the inputs; NaNs are left out.
double extreme(const std::vector<double>& values, Meaning meaning) {
  double result = std::nan("");
  for (const double value : values)
    result = meaning == Meaning::max ? std::fmax(result, value) : std::fmin(result, value);
  return result;
}

}  // namespace

differential::Rounding rounding_of(Format format) {
  const Precision precision = gpu_tests::precision(format);
  return {precision.roundoff, precision.tiny / 2, std::exp2(std::floor(std::log2(precision.largest)))};
}

std::string mistake_at(std::size_t index, double expected, double got) {
  return "element " + std::to_string(index) + " is " + std::to_string(got) + ", not " + std::to_string(expected);
}

std::string Reduction::compare_floats(const std::byte* got, const differential::Quantisation* quantisation) const {
  const Precision precision = gpu_tests::precision(format);
  const auto ranks = static_cast<double>(inputs.size());
  std::vector<double> slack(count, 0.0);  // what the quantisations of the inputs add to the error of each element
  std::vector<double> last(count, 0.0);   // and that of the result
  if (quantisation != nullptr) {
    std::vector<double> exact(count, 0.0);
    for (const std::vector<std::byte>& input : inputs) {
      std::vector<double> values(count);
      for (std::size_t i = 0; i < count; ++i) values[i] = value_at(format, input.data(), i);
      const std::vector<double> errors =
          differential::quantisation_errors(values, nullptr, *quantisation, rounding_of(format));
      for (std::size_t i = 0; i < count; ++i) {
        const double value = std::isfinite(values[i]) ? values[i] : 0.0;
        // The extreme of the quantised numbers errs by the largest error of any, which the sum of all covers.
        slack[i] += errors[i] + precision.roundoff * ranks * std::fabs(value);
        exact[i] = meaning == Meaning::sum ? exact[i] + value : std::max(exact[i], std::fabs(value));
      }
    }
    last = differential::quantisation_errors(exact, &slack, *quantisation, rounding_of(format));
  }
  // From here on a sum rounds to infinity.
  const double limit = precision.largest * (1.0 - ranks * precision.roundoff);
  std::vector<double> values(inputs.size());
  for (std::size_t i = 0; i < count; ++i) {
    Facts facts;
    long double product = 1.0L;
    for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
      values[rank] = value_at(format, inputs[rank].data(), i);
      facts.add(values[rank]);
      product *= values[rank];
    }
    const double value = value_at(format, got, i);
    const long double lossy = static_cast<long double>(slack[i]) + last[i];
    bool right = false;
    double expected = static_cast<double>(facts.exact);
    if (meaning == Meaning::sum) {
      const long double rounding = ranks * (precision.roundoff * (facts.positive + facts.negative) + precision.tiny);
      const long double bound = (exact_sums ? 0.0L : rounding) + lossy;
      right = right_sum(facts, value, bound, limit, quantisation != nullptr);
    } else if (meaning == Meaning::prod) {
      expected = static_cast<double>(product);
      right = std::fabs(value - product) <= ranks * precision.roundoff * std::fabs(product);
    } else {
      expected = extreme(values, meaning);
      right = value == expected || std::fabs(value - expected) <= static_cast<double>(lossy);
      // MPI leaves open what becomes of a NaN, and of what it was compared with before.
      right =
          right || (facts.nan && (std::isnan(value) || std::find(values.begin(), values.end(), value) != values.end()));
      right = right || (quantisation != nullptr && !facts.finite() && !std::isfinite(value));
    }
    if (!right) return mistake_at(i, expected, value);
  }
  return "";
}

std::string Reduction::compare_integers(const std::byte* got) const {
  switch (format) {
    case Format::int32:
      return compare_as<std::int32_t>(*this, got);
    case Format::uint32:
      return compare_as<std::uint32_t>(*this, got);
    case Format::int64:
      return compare_as<std::int64_t>(*this, got);
    default:
      return compare_as<std::uint64_t>(*this, got);
  }
}

}  // namespace airamp::gpu_tests
