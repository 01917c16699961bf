// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <vector>

#include "mpitests/differential/data.hpp"

namespace airamp::differential {
namespace {

using Values = std::vector<double>;

Values values_of(const Call& call, int world_rank, std::size_t count) {
  std::vector<std::byte> bytes(count * call.element->bytes);
  write_contribution(call, world_rank, count, bytes.data());
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value_at(call.element->format, bytes.data(), i);
  return values;
}

double combine(Meaning meaning, double a, double b) {
  if (meaning == Meaning::sum) return a + b;
  return meaning == Meaning::max ? std::max(a, b) : std::min(a, b);
}

/// The exact result of a call's elements, the error allowed, and where the result must not be finite.
struct Truth {
  Values values;
  Values errors;
  std::vector<bool> poisoned;
};

Truth contributed(const Call& call, int world_rank, std::size_t count, Quantisation quantisation) {
  Truth truth{values_of(call, world_rank, count), {}, std::vector<bool>(count)};
  for (std::size_t i = 0; i < count; ++i) truth.poisoned[i] = !std::isfinite(truth.values[i]);
  // A contribution is decoded to binary32, not to the element type.
  truth.errors =
      quantisation_errors(truth.values, nullptr, quantisation, {0.0, 0.0, rounding(call.element->format).two_to_emax});
  return truth;
}

// Two quantisations: every contribution's, whose errors add up in a sum, and the result's. In between the codec adds in
// binary32: each of the additions errs by at most 2^-24 of the sum of the magnitudes.
Truth reduced(const Call& call, Quantisation quantisation) {
  const Meaning meaning = call.operation->meaning;
  const std::vector<int>& ranks = sources(call);
  Truth truth = contributed(call, ranks[0], call.count, quantisation);
  Values magnitudes(call.count);
  for (std::size_t i = 0; i < call.count; ++i) magnitudes[i] = std::fabs(truth.values[i]) + truth.errors[i];
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    const Truth one = contributed(call, ranks[r], call.count, quantisation);
    for (std::size_t i = 0; i < call.count; ++i) {
      truth.values[i] = combine(meaning, truth.values[i], one.values[i]);
      truth.errors[i] =
          meaning == Meaning::sum ? truth.errors[i] + one.errors[i] : std::max(truth.errors[i], one.errors[i]);
      magnitudes[i] += std::fabs(one.values[i]) + one.errors[i];
      if (one.poisoned[i]) truth.poisoned[i] = true;
    }
  }
  for (std::size_t i = 0; i < call.count; ++i)
    if (meaning == Meaning::sum) truth.errors[i] += static_cast<double>(ranks.size()) * 0x1p-24 * magnitudes[i];
  // A poisoned or overflowing element stands for zero in its block.
  for (std::size_t i = 0; i < call.count; ++i) {
    if (std::fabs(truth.values[i]) > largest(call.element->format)) truth.poisoned[i] = true;
    if (truth.poisoned[i]) truth.errors[i] = truth.values[i] = 0.0;
  }
  const Values second = quantisation_errors(truth.values, &truth.errors, quantisation, rounding(call.element->format));
  for (std::size_t i = 0; i < call.count; ++i) truth.errors[i] += second[i];
  return truth;
}

// One quantisation and the rounding to the element type.
Truth gathered(const Call& call, int world_rank, Quantisation quantisation) {
  Truth truth = contributed(call, world_rank, contribution(call, world_rank), quantisation);
  truth.errors = quantisation_errors(truth.values, nullptr, quantisation, rounding(call.element->format));
  return truth;
}

bool swallows_nan(const Operation& operation) { return !operation.own && operation.meaning != Meaning::sum; }

// `swallows`: the native operation may take a number for larger or smaller than NaN, as MPI_MAX and MPI_MIN may; where
// AIRamp leaves such a call to it, it does the same.
std::string check_elements(Format format, const Truth& truth, bool swallows, const std::byte* native,
                           const std::byte* airamp) {
  std::ostringstream wrong;
  const std::size_t bytes = format == Format::float32 ? 4 : 2;
  for (std::size_t i = 0; i < truth.values.size(); ++i) {
    const double got = value_at(format, airamp, i);
    const double native_value = value_at(format, native, i);
    const bool poison_kept =
        !std::isfinite(got) || (swallows && std::memcmp(native + i * bytes, airamp + i * bytes, bytes) == 0);
    const bool close = std::isfinite(got) && std::fabs(got - truth.values[i]) <= truth.errors[i];
    const bool native_right = std::isfinite(native_value) != truth.poisoned[i] || (swallows && truth.poisoned[i]);
    if ((truth.poisoned[i] ? poison_kept : close) && native_right) continue;
    wrong << "element " << i << ": AIRamp " << got << ", native " << native_value << ", truth " << truth.values[i]
          << (truth.poisoned[i] ? " (must not be finite)" : "") << ", error allowed " << truth.errors[i];
    return wrong.str();
  }
  return {};
}

/// The place of this rank's first element of a reduction's result in what each rank contributes.
std::size_t first_element(const Call& call) {
  int rank = 0;
  MPI_Comm_rank(call.communicator->handle, &rank);
  return call.kind == Kind::reduce_scatter_block ? static_cast<std::size_t>(rank) * call.count : 0;
}

/// Of each element of this rank's result: a NaN that a rank gives, and another of what is not finite there; a product
/// makes NaN of numbers too, once they are infinite and 0.
std::vector<bool> where_nans_may_meet(const Call& call) {
  const std::size_t first = first_element(call);
  std::vector<int> nans(call.count);
  std::vector<int> not_finite(call.count, call.operation->op == MPI_PROD ? 1 : 0);
  for (const int rank : sources(call)) {
    const Values values = values_of(call, rank, first + call.count);
    for (std::size_t i = 0; i < call.count; ++i) {
      if (std::isnan(values[first + i])) ++nans[i];
      if (!std::isfinite(values[first + i])) ++not_finite[i];
    }
  }
  std::vector<bool> may_meet(call.count);
  for (std::size_t i = 0; i < call.count; ++i) may_meet[i] = nans[i] > 0 && not_finite[i] > 1;
  return may_meet;
}

bool is_sum_or_product(const Call& call) {
  return reduces(call.kind) && (call.operation->op == MPI_SUM || call.operation->op == MPI_PROD) &&
         is_float(call.element->format);
}

}  // namespace

bool same_but_for_nans_that_met(const Call& call, const Buffer& a, const Buffer& b) {
  if (std::memcmp(a.data(), b.data(), a.size()) == 0) return true;
  const Format format = call.element->format;
  const std::size_t bytes = call.element->bytes;
  if (!is_sum_or_product(call) || a.size() != call.count * bytes) return false;
  const std::vector<bool> may_meet = where_nans_may_meet(call);
  for (std::size_t i = 0; i < call.count; ++i) {
    if (std::memcmp(a.data() + i * bytes, b.data() + i * bytes, bytes) == 0) continue;
    const bool both_nan = std::isnan(value_at(format, a.data(), i)) && std::isnan(value_at(format, b.data(), i));
    if (!both_nan || !may_meet[i]) return false;
  }
  return true;
}

std::string check_lossy(const Call& call, const Lossy& lossy, const Buffer& native, const Buffer& airamp) {
  const Format format = call.element->format;
  const std::size_t bytes = call.element->bytes;
  if (call.kind == Kind::allreduce)
    return check_elements(format, reduced(call, lossy.quantisation), swallows_nan(*call.operation), native.data(),
                          airamp.data());
  const std::vector<int>& ranks = sources(call);
  const std::vector<std::size_t> offsets = displacements(call);
  std::size_t end = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const std::size_t begin = offsets[r] * bytes;
    if (std::memcmp(native.data() + end, airamp.data() + end, begin - end) != 0)
      return "a gap between blocks was written";
    const std::string wrong = check_elements(format, gathered(call, ranks[r], lossy.quantisation), false,
                                             native.data() + begin, airamp.data() + begin);
    if (!wrong.empty()) return "block of rank " + std::to_string(r) + ", " + wrong;
    end = begin + contribution(call, ranks[r]) * bytes;
  }
  return {};
}

}  // namespace airamp::differential
