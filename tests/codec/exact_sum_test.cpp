// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "codec/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "testing/bitwise_sum.hpp"

namespace airamp::codec {
namespace {

using Double = std::numeric_limits<double>;
using Float = std::numeric_limits<float>;

template <class Real>
constexpr DataType type_of = sizeof(Real) == 4 ? DataType::float32 : DataType::float64;

template <class Real>
std::uint64_t bits_of(Real value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class Real>
std::vector<Real> sums_of(const std::vector<std::vector<Real>>& vectors) {
  std::vector<const std::byte*> pointers;
  for (const std::vector<Real>& vector : vectors) pointers.push_back(reinterpret_cast<const std::byte*>(vector.data()));
  std::vector<Real> sums(vectors.front().size());
  sum_exactly(type_of<Real>, pointers.data(), pointers.size(), sums.size(), reinterpret_cast<std::byte*>(sums.data()));
  return sums;
}

template <class Real>
Real sum_of(const std::vector<Real>& addends) {
  std::vector<std::vector<Real>> vectors;
  for (const Real addend : addends) vectors.push_back({addend});
  return sums_of(vectors).front();
}

/// Every order of the addends gives these bits.
template <class Real>
void expect_sum(std::vector<Real> addends, Real expected) {
  std::sort(addends.begin(), addends.end(), [](Real a, Real b) { return bits_of(a) < bits_of(b); });
  do {
    EXPECT_EQ(bits_of(sum_of(addends)), bits_of(expected)) << sum_of(addends) << " is not " << expected;
  } while (
      std::next_permutation(addends.begin(), addends.end(), [](Real a, Real b) { return bits_of(a) < bits_of(b); }));
}

TEST(ExactSum, KeepsWhatAdditionsOneByOneLose) {
  expect_sum<double>({1e300, 1, -1e300}, 1);
  expect_sum<double>({1, 0x1p-60, 0x1p-100, -1}, 0x1p-60 + 0x1p-100);
  expect_sum<float>({1e30F, 1, -1e30F, 3e-30F, -1}, 3e-30F);
  expect_sum<double>({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, 2.8);  // of the binary numbers: 2.8 is the nearest
}

// Half of the last place is a tie, and the least bit below it, however far away, decides.
TEST(ExactSum, RoundsOnceTiesToEven) {
  expect_sum<double>({1, 0x1p-53}, 1);
  expect_sum<double>({1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51);
  expect_sum<double>({1, 0x1p-53, 0x1p-1074}, 1 + 0x1p-52);
  expect_sum<double>({1, 0x1p-53, -0x1p-1074}, 1);
  expect_sum<double>({-1, -0x1p-53, -0x1p-1074}, -1 - 0x1p-52);
  expect_sum<float>({1, 0x1p-24F}, 1);
  expect_sum<float>({1, 0x1p-24F, 0x1p-80F}, 1 + 0x1p-23F);  // rounded to binary64 first, it would be a tie
  expect_sum<float>({1, 0x1p-24F, -0x1p-80F}, 1);            // likewise
  expect_sum<float>({1 + 0x1p-23F, 0x1p-24F, -0x1p-80F}, 1 + 0x1p-23F);
  expect_sum<float>({-1, -0x1p-24F, -0x1p-149F}, -1 - 0x1p-23F);
}

TEST(ExactSum, OverflowsOnlyIfTheSumDoes) {
  const double most = Double::max();
  expect_sum<double>({most, most, -most}, most);
  expect_sum<double>({most, most, most, -most, -most, 1}, most);
  expect_sum<double>({most, 0x1p969}, most);                // less than half of the last place
  expect_sum<double>({most, 0x1p970}, Double::infinity());  // half of it: a tie, and the last place is odd
  expect_sum<double>({most, 0x1p970, -0x1p-1074}, most);
  expect_sum<double>({-most, -most}, -Double::infinity());
  expect_sum<float>({Float::max(), Float::max(), -Float::max()}, Float::max());
  expect_sum<float>({Float::max(), 0x1p103F}, Float::infinity());
}

TEST(ExactSum, KeepsSubnormals) {
  expect_sum<double>({0x1p-1074, 0x1p-1074, 0x1p-1074}, 3 * 0x1p-1074);
  expect_sum<double>({Double::min(), -0x1p-1074}, Double::min() - 0x1p-1074);
  expect_sum<double>({0x1p1000, 0x1p-1074, -0x1p1000}, 0x1p-1074);
  expect_sum<float>({Float::denorm_min(), 1, -1}, Float::denorm_min());
}

TEST(ExactSum, OfNothingIsMinusZeroOnlyIfAllAre) {
  expect_sum<double>({-0.0}, -0.0);
  expect_sum<double>({-0.0, -0.0, -0.0}, -0.0);
  expect_sum<double>({-0.0, 0.0, -0.0}, 0.0);
  expect_sum<double>({1, -1, -0.0}, 0.0);
  expect_sum<double>({1e300, 1, -1e300, -1}, 0.0);
  expect_sum<float>({-0.0F, -0.0F}, -0.0F);
  expect_sum<float>({1e30F, 1, -1e30F, -1}, 0.0F);
}

TEST(ExactSum, KeepsWhatIsNoNumber) {
  const double infinity = Double::infinity();
  const double nan = std::bit_cast<double>(std::uint64_t{0x7ff8000000000000});
  const double other_nan = std::bit_cast<double>(std::uint64_t{0xfff8000000000123});
  expect_sum<double>({infinity, 1, -Double::max()}, infinity);
  expect_sum<double>({-infinity, 1}, -infinity);
  expect_sum<double>({infinity, -infinity, 1}, nan);
  expect_sum<double>({other_nan, 1, infinity}, nan);
  expect_sum<double>({other_nan}, nan);
  expect_sum<float>({Float::infinity(), Float::max(), -1}, Float::infinity());
  expect_sum<float>({std::bit_cast<float>(0xffc00001U), 1}, std::bit_cast<float>(0x7fc00000U));
}

/// Of exponents that span `range` binary places.
template <class Real>
Real random_number(std::mt19937_64& random, int range) {
  const double fraction = 1 + std::ldexp(static_cast<double>(random() >> 12U), -52);
  const int exponent = static_cast<int>(random() % static_cast<unsigned>(range)) - range / 2;
  return static_cast<Real>(std::ldexp((random() & 1U) != 0 ? fraction : -fraction, exponent));
}

template <class Real>
void expect_correctly_rounded(std::size_t count, int range, std::size_t elements) {
  std::mt19937_64 random(count * 1000 + static_cast<unsigned>(range));
  std::vector<std::vector<Real>> vectors(count, std::vector<Real>(elements));
  for (std::vector<Real>& vector : vectors) {
    for (Real& number : vector) number = random_number<Real>(random, range);
  }
  if (count > 2) vectors.back() = vectors.front();  // what cancels leaves only the small ones
  if (count > 2) std::for_each(vectors.back().begin(), vectors.back().end(), [](Real& number) { number = -number; });
  const std::vector<Real> sums = sums_of(vectors);
  std::shuffle(vectors.begin(), vectors.end(), random);
  const std::vector<Real> shuffled = sums_of(vectors);
  for (std::size_t i = 0; i < elements; ++i) {
    ::airamp::testing::BitwiseSum expected;
    for (const std::vector<Real>& vector : vectors) expected.add(vector[i]);
    ASSERT_EQ(bits_of(sums[i]), bits_of(expected.rounded<Real>())) << count << " numbers, element " << i;
    ASSERT_EQ(bits_of(shuffled[i]), bits_of(sums[i])) << count << " numbers, element " << i;
  }
}

TEST(ExactSum, IsCorrectlyRounded) {
  for (const std::size_t count : {1U, 2U, 3U, 7U, 64U}) {
    for (const int range : {2, 20, 50, 90, 250}) {
      expect_correctly_rounded<double>(count, range, 300);
      expect_correctly_rounded<float>(count, range, 300);
    }
    expect_correctly_rounded<double>(count, 2000, 300);
  }
}

TEST(ExactSum, OfComplexNumbersIsThatOfTheirParts) {
  using Number = std::complex<float>;
  const std::vector<Number> first = {{1, 0x1p30F}, {2, 3}};
  const std::vector<Number> second = {{0x1p30F, 1}, {-2, 4}};
  const std::vector<Number> third = {{-0x1p30F, -0x1p30F}, {5, 6}};
  const std::byte* const vectors[] = {reinterpret_cast<const std::byte*>(first.data()),
                                      reinterpret_cast<const std::byte*>(second.data()),
                                      reinterpret_cast<const std::byte*>(third.data())};
  std::vector<Number> sum(2);
  sum_exactly(DataType::complex64, vectors, 3, 2, reinterpret_cast<std::byte*>(sum.data()));
  EXPECT_EQ(sum, (std::vector<Number>{{1, 1}, {5, 13}}));
}

TEST(ExactSum, OfEveryLengthToAnyPlace) {
  for (const std::size_t elements : {0U, 1U, 255U, 256U, 257U, 1000U}) {
    const std::vector<double> one(elements, 1.5);
    const std::vector<double> other(elements, 2.25);
    const std::byte* const vectors[] = {reinterpret_cast<const std::byte*>(one.data()),
                                        reinterpret_cast<const std::byte*>(other.data())};
    std::vector<std::byte> memory(elements * sizeof(double) + 1);
    sum_exactly(DataType::float64, vectors, 2, elements, memory.data() + 1);
    for (std::size_t i = 0; i < elements; ++i) {
      double sum = 0;
      std::memcpy(&sum, memory.data() + 1 + i * sizeof sum, sizeof sum);
      EXPECT_EQ(sum, 3.75);
    }
  }
}

TEST(ExactSum, MayGoToOneOfItsVectors) {
  std::vector<double> own = {1, 1e300, Double::max()};
  const std::vector<double> other = {2, 1, Double::max()};
  const std::vector<double> third = {3, -1e300, -Double::max()};
  const std::byte* const vectors[] = {reinterpret_cast<const std::byte*>(own.data()),
                                      reinterpret_cast<const std::byte*>(other.data()),
                                      reinterpret_cast<const std::byte*>(third.data())};
  sum_exactly(DataType::float64, vectors, 3, 3, reinterpret_cast<std::byte*>(own.data()));
  EXPECT_EQ(own, (std::vector<double>{6, 1, Double::max()}));
}

// In every rounding mode of the caller's, which stays as it is, as do the exception flags.
TEST(ExactSum, LeavesTheCallersFloatingPointAlone) {
  for (const int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    std::feclearexcept(FE_ALL_EXCEPT);
    ASSERT_EQ(std::fesetround(mode), 0);
    const double sum = sum_of<double>({1, 0x1p-53, 0x1p-80});
    const double overflown = sum_of<double>({Double::max(), Double::max()});
    const int mode_after = std::fegetround();
    const int flags_after = std::fetestexcept(FE_ALL_EXCEPT);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(sum, 1 + 0x1p-52);
    EXPECT_EQ(overflown, Double::infinity());
    EXPECT_EQ(mode_after, mode);
    EXPECT_EQ(flags_after, 0);
  }
}

}  // namespace
}  // namespace airamp::codec
