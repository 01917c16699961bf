// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/abilities/buffer_binding.hpp"

#include <gmock/gmock.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace airamp::pmpi {
namespace {

/// One letter per call: b(ind), r(un), n(ative), g(ive up). Of each call the buffer is given; the request is bound to
/// that of the latest call that bound it.
std::string steps(const std::string& buffers) {
  BufferBinding binding;
  std::string result;
  char bound = 0;
  for (const char buffer : buffers) {
    const BufferBinding::Step step = binding.next(binding.bound() && buffer == bound);
    if (step == BufferBinding::Step::bind) bound = buffer;
    result += "brng"[static_cast<int>(step)];
  }
  return result;
}

/// `parts` one after the other, each so many times.
std::string joined(std::initializer_list<std::pair<int, std::string>> parts) {
  std::string result;
  for (const auto& [times, text] : parts) {
    for (int i = 0; i < times; ++i) result += text;
  }
  return result;
}

TEST(BufferBinding, RunsWhereBuffersRecur) { EXPECT_EQ(steps("AAAA"), "brrr"); }

TEST(BufferBinding, IsBoundFromTheFirstCallOn) {
  BufferBinding binding;
  EXPECT_FALSE(binding.bound());
  binding.next(false);
  EXPECT_TRUE(binding.bound());
}

TEST(BufferBinding, OneOtherBufferIsAnException) { EXPECT_EQ(steps("ABABAAB"), "bnrnrrn"); }

TEST(BufferBinding, TheSecondInARowGetsTheRequest) {
  EXPECT_EQ(steps("AABBBA"), "brnbrn");
  EXPECT_EQ(steps("AABCCC"), "brnbrr");
}

TEST(BufferBinding, NeverTheSameBufferIsGivenUpAfterEightRebindings) {
  EXPECT_EQ(steps("ABCDEFGHIJKLMNOPQRSTUVWX"), joined({{1, "b"}, {8, "nb"}, {1, "n"}, {6, "g"}}));
}

// 9 bindings with 7 runs each are given up, with 8 runs each they go on.
TEST(BufferBinding, EnoughRunsAreWorthTheBindings) {
  EXPECT_EQ(steps(joined({{1, "AAAAAAA"}, {4, "BBBBBBBBAAAAAAAA"}, {1, "BBB"}})),
            joined({{1, "brrrrrr"}, {8, "nbrrrrrr"}, {1, "ngg"}}));
  EXPECT_EQ(steps(joined({{1, "AAAAAAAA"}, {4, "BBBBBBBBBAAAAAAAAA"}, {1, "BBB"}})),
            joined({{1, "brrrrrrr"}, {8, "nbrrrrrrr"}, {1, "nbr"}}));
}

}  // namespace
}  // namespace airamp::pmpi
