// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/shared_memory_for_others.hpp"

#include <gtest/gtest.h>

namespace airamp {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

TEST(SharedMemoryForOthers, IsAQuarterOrWhatMessagesMayTake) {
  EXPECT_EQ(shared_memory_for_others(1024 * mebibyte, 32 * mebibyte), 256 * mebibyte);
  EXPECT_EQ(shared_memory_for_others(64 * mebibyte, 32 * mebibyte), 32 * mebibyte);
  EXPECT_EQ(shared_memory_for_others(64 * mebibyte, 100 * mebibyte), 100 * mebibyte);  // more than there is
}

TEST(SharedMemoryForOthers, MessagesTakeWhatTheLibraryWritesForARank) {
  EXPECT_EQ(shared_memory_of_messages("Open MPI v4.1.4, package: Debian OpenMPI", 8), 32 * mebibyte);
  EXPECT_EQ(shared_memory_of_messages("MPICH Version: 4.0.2", 8), 64 * mebibyte);
  EXPECT_EQ(shared_memory_of_messages("CRAY MPICH version 8.1.27", 8), 64 * mebibyte);
  EXPECT_EQ(shared_memory_of_messages("", 8), 64 * mebibyte);
}

TEST(SharedMemoryForOthers, MessagesOfIntelMpiTakeSomeForEachPairOfRanks) {
  const char* const library = "Intel(R) MPI Library 2021.18.1 for Linux* OS";
  EXPECT_EQ(shared_memory_of_messages(library, 1), 3 * mebibyte);
  EXPECT_EQ(shared_memory_of_messages(library, 4), 48 * mebibyte);
  EXPECT_EQ(shared_memory_of_messages(library, 8), 192 * mebibyte);
}

TEST(SharedMemoryForOthers, AJobHasAtLeastOneRank) {
  EXPECT_EQ(shared_memory_of_messages("Open MPI", 0), 4 * mebibyte);
}

}  // namespace
}  // namespace airamp
