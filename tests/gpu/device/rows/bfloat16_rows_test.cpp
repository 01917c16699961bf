// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/device/rows/bfloat16_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "codec/element_conversion.hpp"
#include "tests/gpu/device/rows/row_streams.hpp"

namespace airamp::gpu::device {
namespace {

constexpr std::uint16_t minus = 0x8000;
constexpr std::uint16_t one = 0x3f80;
constexpr std::uint16_t infinity = 0x7f80;

struct Bfloat16Rows : testing::Test {
  std::mt19937 random;

  std::size_t below(std::size_t bound) { return random() % bound; }

  /// Numbers of magnitudes first ... last, of either sign.
  Numbers between(int first, int last) {
    Numbers numbers;
    for (auto& number : numbers)
      number = static_cast<std::uint16_t>(first + static_cast<int>(below(last - first + 1)) + (random() % 2) * minus);
    return numbers;
  }

  Numbers any() { return between(0, 0x7fff); }

  Numbers normal(float size = 1) {
    std::normal_distribution<float> distribution(0, size);
    Numbers numbers;
    for (auto& number : numbers) number = codec::bfloat16_from_float(distribution(random));
    return numbers;
  }

  std::uint16_t& some(Numbers& numbers) { return numbers[below(numbers.size())]; }
};

testing::AssertionResult comes_back(const Numbers& numbers) { return travels<Bfloat16>(std::bit_cast<Row>(numbers)); }

/// Asserts the number of vectors as well.
testing::AssertionResult comes_back_by(int vectors, const Numbers& numbers) {
  const auto row = travelling<Bfloat16>(std::bit_cast<Row>(numbers));
  if (row.words != 4 * vectors) return testing::AssertionFailure() << row.words << " words are due";
  return travels<Bfloat16>(row);
}

TEST_F(Bfloat16Rows, ComeBackWhateverTheirBits) {
  std::vector<std::uint16_t> all(0x10000);
  std::iota(all.begin(), all.end(), 0);
  const auto travel_all = [&] {
    Numbers numbers;
    for (auto from = all.begin(); from != all.end(); from += std::ssize(numbers)) {
      std::copy_n(from, numbers.size(), numbers.begin());
      ASSERT_TRUE(comes_back(numbers)) << "row " << (from - all.begin()) / std::ssize(numbers);
    }
  };
  travel_all();
  std::shuffle(all.begin(), all.end(), random);
  travel_all();
}

TEST_F(Bfloat16Rows, TravelAsTheFormatSays) {
  for (int i = 0; i < 20; ++i) {
    const Row row = std::bit_cast<Row>(normal(std::ldexp(1.0f, 12 * i - 120)));
    const Sending due = sending_of(row);
    Stream stream = {travelling<Bfloat16>(row)};
    emulated_gpus.reset(0);
    emulated_gpus.launch({.kernel = [&] { push<Bfloat16>(stream); }});
    while (!emulated_gpus.are_idle()) ASSERT_TRUE(emulated_gpus.go_on());
    emulated_gpus.memory.deliver_all();
    if (due.vectors != 24) continue;
    for (std::size_t w = 0; w < 96; ++w) ASSERT_EQ(stream[0].wire[w / 4].word[w % 4], due.word[w]) << "word " << w;
  }
}

/// A number at the window's end, another at its beginning or just below it.
TEST_F(Bfloat16Rows, MayFillTheWindow) {
  for (int exponent = 0; exponent < 256; ++exponent) {
    const int top = (exponent + 1) * 128;
    for (const int below_top : {2047, 2048}) {
      const int smallest = top - below_top;
      if (smallest <= 0) continue;
      Numbers numbers = between(exponent * 128, exponent * 128 + 127);
      const std::size_t place = below(numbers.size());
      numbers[place] = static_cast<std::uint16_t>(smallest + (random() % 2) * minus);
      numbers[(place + 8) % numbers.size()] = minus;
      numbers[(place + 16) % numbers.size()] = 0;
      ASSERT_TRUE(comes_back_by(below_top == 2047 ? 24 : 32, numbers)) << "exponent " << exponent;
    }
  }
}

/// Any of a lane's numbers may be far below the others, but not all of them.
TEST_F(Bfloat16Rows, HaveFewSmallNumbersInEachLane) {
  for (int which = 0; which < 256; ++which) {
    Numbers numbers = between(one, one + 127);
    const std::size_t lane = below(32);
    for (std::size_t n = 0; n < 8; ++n)
      if ((which >> n & 1) != 0) numbers[8 * lane + n] = static_cast<std::uint16_t>(one - 9 * 128);
    const int far = std::popcount(static_cast<unsigned>(which & 0x7f));
    ASSERT_TRUE(comes_back_by(far <= (which < 0x80 ? 4 : 2) ? 24 : 32, numbers)) << which;
  }
}

TEST_F(Bfloat16Rows, OfZerosAreAVector) {
  Numbers zeros = {};
  EXPECT_TRUE(comes_back_by(1, zeros));
  some(zeros) = minus;
  EXPECT_TRUE(comes_back_by(24, zeros));
  zeros.fill(minus);
  EXPECT_TRUE(comes_back_by(24, zeros));
  for (std::size_t i = 0; i < zeros.size(); i += 32) {
    zeros = {};
    zeros[i + i / 32] = 1;
    EXPECT_TRUE(comes_back_by(24, zeros)) << "the smallest subnormal number";
  }
}

TEST_F(Bfloat16Rows, MayBeSubnormal) {
  EXPECT_TRUE(comes_back_by(24, between(1, 127)));
  EXPECT_TRUE(comes_back_by(24, between(0, 127)));
  EXPECT_TRUE(comes_back_by(24, between(1024, 2047)));
  Numbers numbers = between(1024, 2047);
  some(numbers) = 1;
  EXPECT_TRUE(comes_back_by(24, numbers));
  numbers = between(2048, 2048 + 127);
  some(numbers) = 1;
  EXPECT_TRUE(comes_back_by(32, numbers));
}

TEST_F(Bfloat16Rows, MayHaveInfinitiesAndNansOfAllKinds) {
  for (const int first : {0x7f81, 0x7fc0, 0x7ff0, 0x7fff})
    for (const int last : {0x7f80, 0x7fbf, 0x7fff})
      EXPECT_TRUE(first > last || comes_back(between(first, last))) << first << " to " << last;
  EXPECT_TRUE(comes_back_by(24, between(infinity - 500, infinity)));
  for (const std::uint16_t poison : {infinity, std::uint16_t{infinity + minus}, std::uint16_t{0x7fc0},
                                     std::uint16_t{0xffc1}, std::uint16_t{0x7fff}, std::uint16_t{0xffff}}) {
    Numbers numbers = normal();
    some(numbers) = poison;
    EXPECT_TRUE(comes_back_by(32, numbers)) << poison;
    numbers.fill(poison);
    EXPECT_TRUE(comes_back(numbers)) << poison;
  }
}

TEST_F(Bfloat16Rows, MayImitateMarksAndHoles) {
  for (const std::uint32_t word : {hole_word, hole_word - 1, 0xffff0000u, 0xffff0300u, 0xffff037fu, 0xffff3f80u}) {
    for (const std::size_t place : {0u, 1u, 4u, 127u}) {
      Row row = std::bit_cast<Row>(any());
      row[place] = word;
      EXPECT_TRUE(travels<Bfloat16>(row)) << word << " at " << place;
    }
    Row row;
    row.fill(word);
    EXPECT_TRUE(travels<Bfloat16>(row)) << word;
  }
}

/// Numbers that would be packed into words of all ones. Lane 0's first word travels in bits.
TEST_F(Bfloat16Rows, TravelWholeWhereAPackedWordWouldLookLikeAHole) {
  constexpr int top = (127 + 1) * 128;
  const auto number_of = [](int distance) { return static_cast<std::uint16_t>(top - distance + minus); };
  int whole = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t k = 0; k < 3; ++k) {
      Numbers numbers = between(one, one + 127);
      auto* const own = &numbers[8 * lane];
      own[2 * k] = own[2 * k + 1] = number_of(0x7ff);
      own[6] = number_of(k == 0 ? 0x00f : k == 1 ? 0x0f0 : 0x700);
      own[7] = number_of(k == 0 ? 0x00f : k == 1 ? 0x0f0 : 0x300);
      const int vectors = sending_of(std::bit_cast<Row>(numbers)).vectors;
      ASSERT_TRUE(k == 2 || vectors == (lane == 0 && k == 0 ? 24 : 32)) << "word " << k << ", lane " << lane;
      whole += k == 2 && vectors == 32 ? 1 : 0;
      ASSERT_TRUE(comes_back(numbers)) << "word " << k << ", lane " << lane;
    }
  }
  EXPECT_GT(whole, 5) << "depends on a bit of lane 0's first word";
}

enum Kind { zeros, window, whole, packed_hole, any_bits, kinds };

TravellingRow row_of(int kind, Bfloat16Rows& test) {
  switch (kind) {
    case zeros:
      return travelling<Bfloat16>({});
    case window:
      return travelling<Bfloat16>(std::bit_cast<Row>(test.normal()));
    case packed_hole: {
      Numbers numbers = test.between(one, one + 127);
      for (const std::size_t n : {2u, 3u, 6u, 7u})
        numbers[40 + n] = static_cast<std::uint16_t>(128 * 128 + minus - (n < 4 ? 0x7ff : 0x0f0));
      return travelling<Bfloat16>(std::bit_cast<Row>(numbers));
    }
    case whole: {
      Numbers numbers = test.normal();
      test.some(numbers) = 1;
      return travelling<Bfloat16>(std::bit_cast<Row>(numbers));
    }
    default:
      return travelling<Bfloat16>(std::bit_cast<Row>(test.any()));
  }
}

/// One wave of two warps, or two waves of one, on either side.
TEST_F(Bfloat16Rows, OfTwoWarpsDoNotMatterToEachOther) {
  const std::vector<Wave> in_step = {{0, 1}}, apart = {{0}, {1}}, crossed = {{1, 0}};
  for (int first = 0; first < kinds; ++first) {
    for (int second = 0; second < kinds; ++second) {
      for (const auto& [writers, readers] :
           {std::pair{in_step, in_step}, std::pair{in_step, apart}, std::pair{apart, crossed}})
        ASSERT_TRUE(travel<Bfloat16>(std::vector{row_of(first, *this), row_of(second, *this)}, writers, readers))
            << "kinds " << first << " and " << second;
    }
  }
}

/// Of data as programs have them nearly all rows are short.
TEST_F(Bfloat16Rows, OfCommonDataAreShort) {
  constexpr int rows = 4000;
  const auto share_of_short_rows = [&](auto number) {
    int rows_found = 0;
    for (int r = 0; r < rows; ++r) {
      Numbers numbers;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = codec::bfloat16_from_float(static_cast<float>(number(r * 256 + static_cast<int>(i))));
      rows_found += sending_of(std::bit_cast<Row>(numbers)).vectors < 32 ? 1 : 0;
    }
    return 100.0 * rows_found / rows;
  };
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> exponential;
  std::uniform_real_distribution<double> uniform(-1, 1);
  EXPECT_GT(share_of_short_rows([&](int) { return normal(random); }), 97);
  EXPECT_GT(share_of_short_rows([&](int) { return exponential(random) * (random() % 2 != 0 ? 1 : -1); }), 90);
  EXPECT_GT(share_of_short_rows([&](int) { return uniform(random); }), 98);
  EXPECT_GT(share_of_short_rows([&](int i) { return std::sin(i * 0.001); }), 98);
  EXPECT_GT(share_of_short_rows([&](int i) { return std::sin(i * 0.1); }), 98);
}

}  // namespace
}  // namespace airamp::gpu::device
