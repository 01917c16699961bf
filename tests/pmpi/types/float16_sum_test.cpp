// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/float16_sum.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "codec/lossless_reduce.hpp"

namespace airamp::pmpi {
namespace {

using Halves = std::vector<std::uint16_t>;

Halves sum(const Halves& a, const Halves& b) {
  Halves result = b;
  add_float16(reinterpret_cast<const std::byte*>(a.data()), reinterpret_cast<std::byte*>(result.data()), a.size());
  return result;
}

bool is_nan(std::uint16_t half) { return (half & 0x7fffU) > 0x7c00U; }

TEST(Float16Sum, OfEveryNumberIsTheLosslessOne) {
  // zero, subnormals, one, ties, the largest, infinity and NaN, of both signs
  for (const std::uint16_t other :
       {0x0000, 0x8000, 0x0001, 0x83ff, 0x3c00, 0xbc01, 0x1400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01}) {
    Halves all(1U << 16U);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    const Halves others(all.size(), other);
    Halves expected(all.size());
    const std::array<const std::byte*, 2> vectors = {reinterpret_cast<const std::byte*>(all.data()),
                                                     reinterpret_cast<const std::byte*>(others.data())};
    codec::reduce_lossless(DataType::float16, ReduceOp::sum, vectors.data(), 2, all.size(),
                           reinterpret_cast<std::byte*>(expected.data()));
    const Halves got = sum(all, others);
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_TRUE(got[i] == expected[i] || (is_nan(got[i]) && is_nan(expected[i]))) << i << " and " << other;
    }
  }
}

TEST(Float16Sum, OfAnyLength) {
  for (std::size_t length = 0; length < 40; ++length) {
    EXPECT_EQ(sum(Halves(length, 0x3c00), Halves(length, 0x4000)), Halves(length, 0x4200)) << length;  // 1 + 2 = 3
  }
}

}  // namespace
}  // namespace airamp::pmpi
