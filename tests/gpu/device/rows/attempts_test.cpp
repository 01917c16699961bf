// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Streams of rows of floating-point numbers, some of which fit: which are sent short, and that all come back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/gpu/device/rows/row_streams.hpp"
#include "tests/gpu/device/rows/travelling_rows.hpp"

namespace airamp::gpu::device {
namespace {

/// After so many rows that were sent whole the next one is tried.
constexpr int due[] = {0, 1, 2, 4, 8, 16, 32, 64, 96, 128, 160, 192};

bool is_due(int whole_rows) { return std::find(std::begin(due), std::end(due), whole_rows) != std::end(due); }

constexpr int whole_words = 128;

/// Words that travel of a row that fits.
template <class Element>
constexpr int short_words = 4 * 17;
template <>
constexpr int short_words<Float16> = 4;
template <>
constexpr int short_words<Bfloat16> = 4 * 24;

template <class Element>
struct AttemptsAtRows : testing::Test {
  std::mt19937 random;

  /// Of any bits, but for those that would not come back: a word's first is 0. Some of its numbers are tiny, and some
  /// huge.
  TravellingRow misfit() {
    Row row;
    for (auto& word : row) word = static_cast<std::uint32_t>(random()) >> 1;
    row[5] = 0x00010001u;
    row[6] = 0x7f007f01u;
    return {row, 4, false};
  }

  /// Zeros of float16; bfloat16 numbers from 2 to 4; others whose lower halves are 0.
  TravellingRow fit(bool is_tried = true) {
    Row row = {};
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto bits = static_cast<std::uint32_t>(random());
      if (std::is_same_v<Element, Bfloat16>) row[i] = 0x40004000u | (bits & 0x007f007fu);
      if (std::is_same_v<Element, Float32>) row[i] = 0x40000000u | (bits & 0x007f0000u);
      if (std::is_same_v<Element, Float64> && i % 2 != 0) row[i] = 0x40000000u | (bits & 0x000fffffu);
    }
    TravellingRow result(row, 4, false);
    result.words = is_tried ? short_words<Element> : whole_words;
    return result;
  }

  /// Rows that do not fit, and then as many that do. The pause does not outlast a stretch of misfits.
  Stream recovering(int misfits, int fits) {
    Stream stream;
    for (int i = 0; i < misfits; ++i) stream.push_back(misfit());
    bool is_tried = false;
    for (int i = misfits; i < misfits + fits; ++i) {
      is_tried = is_tried || is_due(i);
      stream.push_back(fit(is_tried));
    }
    return stream;
  }

  static testing::AssertionResult comes_back(const Stream& stream) {
    return travel<Element>(std::vector<Stream>{stream}, {{0}}, {{0}});
  }
};
using Elements = testing::Types<Float16, Bfloat16, Float32, Float64>;
TYPED_TEST_SUITE(AttemptsAtRows, Elements);

TYPED_TEST(AttemptsAtRows, PauseAsLongAsRowsDidNotFitButNotForEver) {
  for (const int misfits : {0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 96, 97, 128, 150}) {
    const Stream stream = this->recovering(misfits, 40);
    const auto is_short = [](const TravellingRow& row) { return row.words < whole_words; };
    ASSERT_LE(std::count_if(stream.begin() + misfits, stream.end(), std::not_fn(is_short)), std::min(misfits, 31));
    EXPECT_TRUE(this->comes_back(stream)) << misfits << " misfits";
  }
}

TYPED_TEST(AttemptsAtRows, BeginAnewAfterARowThatFits) {
  Stream stream = this->recovering(40, 30);
  ASSERT_EQ(stream.back().words, short_words<TypeParam>);
  const Stream another = this->recovering(5, 10);
  stream.insert(stream.end(), another.begin(), another.end());
  EXPECT_TRUE(this->comes_back(stream));
}

TYPED_TEST(AttemptsAtRows, DoNotMindAFewMisfits) {
  Stream stream;
  for (int i = 0; i < 60; ++i) stream.push_back(i % 3 == 2 ? this->fit() : this->misfit());
  EXPECT_TRUE(this->comes_back(stream));
}

/// A tile is tried as one: after 3 that did not fit the fourth is not.
TYPED_TEST(AttemptsAtRows, AreMadeByTiles) {
  Stream stream;
  for (int i = 0; i < 40; ++i) stream.push_back(i % 4 < 3 ? this->misfit() : this->fit());
  EXPECT_TRUE((travel<TypeParam, 2>(std::vector<Stream>{stream}, {{0}}, {{0}}))) << "one row of every other tile fits";
  stream.clear();
  for (int i = 0; i < 6; ++i) stream.push_back(this->misfit());
  for (int i = 0; i < 10; ++i) stream.push_back(this->fit(i >= 2));
  EXPECT_TRUE((travel<TypeParam, 2>(std::vector<Stream>{stream}, {{0}}, {{0}})));
}

/// One wave of two warps, or two waves of one, on either side.
TYPED_TEST(AttemptsAtRows, OfTwoWarpsDoNotMatterToEachOther) {
  const std::vector<Wave> in_step = {{0, 1}}, apart = {{0}, {1}}, crossed = {{1, 0}};
  const std::vector streams = {this->recovering(0, 50), this->recovering(17, 33)};
  for (const auto& [writers, readers] :
       {std::pair{in_step, in_step}, std::pair{in_step, apart}, std::pair{apart, crossed}})
    EXPECT_TRUE(travel<TypeParam>(streams, writers, readers));
}

}  // namespace
}  // namespace airamp::gpu::device
