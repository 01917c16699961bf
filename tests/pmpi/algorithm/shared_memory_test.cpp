// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What shared memory is a candidate for (pmpi/algorithm/shared_memory/shared_memory.cpp).
#include <gtest/gtest.h>

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::uint64_t kib = 1024;

/// Of integers, whose order does not count.
bool is_candidate(Kind kind, std::uint64_t max_bytes, int size) {
  const LocalFacts facts{.lossless = true, .type = DataType::int64, .memory = Memory::host};
  return candidates_for(kind, max_bytes, facts, size, imposed_by(job().settings.force)).size() > 0;
}

class SharedMemoryCandidate : public testing::Test {
 protected:
  void SetUp() override { job().settings = {}; }
  void TearDown() override { job().settings = {}; }
};

TEST_F(SharedMemoryCandidate, IsNoneForAShortReduceOfManyRanksWhichIsTooMuchForItsRoot) {
  EXPECT_TRUE(is_candidate(Kind::reduce, 2 * kib - 1, 16));
  EXPECT_FALSE(is_candidate(Kind::reduce, 2 * kib - 1, 17));
  EXPECT_TRUE(is_candidate(Kind::reduce, 1 * kib - 1, 32));
  EXPECT_FALSE(is_candidate(Kind::reduce, 1 * kib - 1, 64));
  EXPECT_TRUE(is_candidate(Kind::reduce, 4 * kib - 1, 32));  // the ranks share the work
  EXPECT_TRUE(is_candidate(Kind::allreduce, 2 * kib - 1, 32));
}

TEST_F(SharedMemoryCandidate, IsOneWhereItIsImposed) {
  job().settings.force = config::Force::shared_memory;
  EXPECT_TRUE(is_candidate(Kind::reduce, 2 * kib - 1, 32));
}

}  // namespace
}  // namespace airamp::pmpi
