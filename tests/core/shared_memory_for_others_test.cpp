// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/shared_memory_for_others.hpp"

#include <gtest/gtest.h>

namespace airamp {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
constexpr std::uint64_t gibibyte = 1024 * mebibyte;

TEST(SharedMemoryForOthers, IsAQuarterWhereThatIsEnoughForAnyMpiLibrary) {
  for (const char* const library : {"Open MPI v4.1.4", "MPICH Version: 4.0.2", "Intel(R) MPI Library 2021.18.1", ""}) {
    EXPECT_EQ(shared_memory_for_others(64 * gibibyte, 16, library), 16 * gibibyte) << library;
  }
}

// A container has 64 MiB, if nothing else was asked for.
TEST(SharedMemoryForOthers, IsWhatTheMpiLibraryMayNeedWhereThereIsLittle) {
  const std::uint64_t all = 64 * mebibyte;
  EXPECT_EQ(shared_memory_for_others(all, 2, "Open MPI v4.1.4, package: Debian"), all / 4);
  EXPECT_EQ(shared_memory_for_others(all, 8, "Open MPI v4.1.4, package: Debian"), 32 * mebibyte);
  EXPECT_EQ(shared_memory_for_others(all, 4, "MPICH Version: 4.0.2"), 32 * mebibyte);
  EXPECT_EQ(shared_memory_for_others(all, 4, "Intel(R) MPI Library 2021.18.1 for Linux* OS"), 48 * mebibyte);
  EXPECT_EQ(shared_memory_for_others(all, 4, "CRAY MPICH version 8.1.27"), 32 * mebibyte);
  EXPECT_EQ(shared_memory_for_others(all, 4, ""), 32 * mebibyte);
}

TEST(SharedMemoryForOthers, MayBeMoreThanThereIs) {
  EXPECT_GT(shared_memory_for_others(64 * mebibyte, 64, "Intel(R) MPI Library"), 64 * mebibyte);
  EXPECT_EQ(shared_memory_for_others(0, 0, "Open MPI"), 4 * mebibyte);
}

}  // namespace
}  // namespace airamp
