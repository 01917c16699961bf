// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/shortcuts.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>

#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {
namespace {

CallArguments sum_of(MPI_Count count) {
  return {.kind = Kind::allreduce, .op = MPI_SUM, .count = count, .type = MPI_DOUBLE};
}

TEST(Shortcuts, FindsWhatIsTheSameInEveryArgument) {
  GatedCalls gated;
  Shortcuts shortcuts;
  EXPECT_EQ(shortcuts.find(sum_of(1)), nullptr);
  shortcuts.remember({.arguments = sum_of(1), .word = 7, .gated = &gated});
  ASSERT_NE(shortcuts.find(sum_of(1)), nullptr);
  EXPECT_EQ(shortcuts.find(sum_of(1))->word, 7U);
  for (auto change : {+[](CallArguments& a) { a.kind = Kind::reduce; }, +[](CallArguments& a) { a.in_place = true; },
                      +[](CallArguments& a) { a.root = 1; }, +[](CallArguments& a) { a.op = MPI_PROD; },
                      +[](CallArguments& a) { a.count = 2; }, +[](CallArguments& a) { a.type = MPI_FLOAT; },
                      +[](CallArguments& a) { a.sendcount = 1; }, +[](CallArguments& a) { a.sendtype = MPI_BYTE; }}) {
    CallArguments other = sum_of(1);
    change(other);
    EXPECT_EQ(shortcuts.find(other), nullptr);
  }
}

// A rank that is no root has one block in a gather or scatter, whose length is all that its calls differ in.
TEST(Shortcuts, CallsThatDifferInOneCountAloneHaveSeveralPlaces) {
  std::set<std::size_t> of_counts;
  std::set<std::size_t> of_sendcounts;
  for (int count = 1; count <= 8; ++count) {
    of_counts.insert(Shortcuts::place_of({.kind = Kind::scatter, .count = count}));
    of_sendcounts.insert(Shortcuts::place_of({.kind = Kind::scatter, .sendcount = count}));
  }
  EXPECT_GT(of_counts.size(), 4U);
  EXPECT_GT(of_sendcounts.size(), 4U);
}

TEST(Shortcuts, TheLatestTakesThePlaceOfAnother) {
  GatedCalls gated;
  Shortcuts shortcuts;
  for (MPI_Count count = 0; count < 1000; ++count) {
    shortcuts.remember({.arguments = sum_of(count), .word = static_cast<std::uint64_t>(count), .gated = &gated});
    ASSERT_NE(shortcuts.find(sum_of(count)), nullptr);
  }
  int kept = 0;
  for (MPI_Count count = 0; count < 1000; ++count) {
    const Shortcut* const found = shortcuts.find(sum_of(count));
    if (found == nullptr) continue;
    EXPECT_EQ(found->word, static_cast<std::uint64_t>(count));
    ++kept;
  }
  EXPECT_GT(kept, 1);
  EXPECT_LE(kept, 16);
}

// Two calls in turns that want the same place.
TEST(Shortcuts, ThePlaceOfAnotherIsReplacedNowAndThen) {
  GatedCalls gated;
  Shortcuts shortcuts;
  EXPECT_TRUE(shortcuts.may_replace(sum_of(1)));
  shortcuts.remember({.arguments = sum_of(1), .gated = &gated});
  EXPECT_TRUE(shortcuts.may_replace(sum_of(1)));
  MPI_Count other = 2;  // whose place is that one's
  for (;; ++other) {
    Shortcuts copy = shortcuts;
    copy.remember({.arguments = sum_of(other), .gated = &gated});
    if (copy.find(sum_of(1)) == nullptr) break;
  }
  int replaced = 0;
  for (int call = 0; call < 160; ++call) replaced += shortcuts.may_replace(sum_of(other)) ? 1 : 0;
  EXPECT_EQ(replaced, 10);
}

}  // namespace
}  // namespace airamp::pmpi
