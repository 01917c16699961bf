// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/copy_around_caches.hpp"
#include "base/copy_words.hpp"

namespace airamp::base {
namespace {

using ::testing::ElementsAreArray;

constexpr std::size_t margin = 130;  // of bytes that nobody may write to
constexpr std::byte untouched{0xa5};

/// Copies `bytes` bytes from one place behind a cache line's begin to another, and looks at all around.
template <class Copy>
void expect_copied(const Copy& copy, std::size_t to, std::size_t from, std::size_t bytes) {
  std::vector<std::byte> source(margin + bytes);
  std::iota(reinterpret_cast<std::uint8_t*>(source.data()),
            reinterpret_cast<std::uint8_t*>(source.data() + source.size()), std::uint8_t{1});
  std::vector<std::byte> target(2 * margin + bytes, untouched);
  std::vector<std::byte> expected = target;
  const auto line = static_cast<std::ptrdiff_t>(64 - reinterpret_cast<std::uintptr_t>(target.data()) % 64);
  const std::ptrdiff_t place = line + static_cast<std::ptrdiff_t>(to);
  std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), bytes, expected.begin() + place);
  copy(target.data() + place, source.data() + from, bytes);
  EXPECT_THAT(target, ElementsAreArray(expected)) << bytes << " bytes from " << from << " to " << to;
}

TEST(CopyWords, CopiesMultiplesOfFourBytesFromAnywhereToAnywhere) {
  for (const std::size_t bytes : {0U, 4U, 8U, 60U, 104U}) {
    for (const std::size_t to : {0U, 1U, 4U}) expect_copied(copy_words, to, 3, bytes);
  }
}

TEST(CopyAroundCaches, CopiesAnyNumberOfBytesFromAnywhereToAnywhere) {
  for (const std::size_t bytes : {0U, 1U, 15U, 63U, 64U, 65U, 127U, 128U, 200U, 1000U, 4096U}) {
    for (const std::size_t to : {0U, 1U, 16U, 63U}) {
      for (const std::size_t from : {0U, 5U}) expect_copied(copy_around_caches, to, from, bytes);
    }
  }
}

}  // namespace
}  // namespace airamp::base
