// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Collectives over peer memory among processes, without MPI: every result against the host, and every region full of
// holes again afterwards. Ranks share GPUs where there are fewer GPUs than ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/peer/geometry.hpp"
#include "tests/gpu/cuda/cuda_device.hpp"
#include "tests/gpu/cuda/rank_processes.hpp"
#include "tests/gpu/cuda/run_peer_case.hpp"
#include "tests/gpu/peer/peer_case.hpp"

namespace airamp::gpu::test {
namespace {

constexpr std::size_t max_region_bytes = 1u << 20;
void run_cases(const Rank& rank, int gpus, const std::vector<PeerCase>& cases) {
  const OpenedDevice opened(rank.rank() % gpus);
  const Regions regions(rank, opened.device(), max_region_bytes);
  std::string failures;
  for (const PeerCase& c : cases) {
    try {
      const std::string wrong = run_case(rank, opened, regions, c);
      if (!wrong.empty() && failures.size() < 800)
        failures.append(to_string(c)).append(": ").append(wrong).append("; ");
    } catch (const std::exception& error) {
      throw std::runtime_error(failures.append(to_string(c)).append(": ").append(error.what()));
    }
  }
  rank.meet();
  if (!failures.empty()) throw std::runtime_error(failures);
}

/// Gives a case a length, alignment, region and values; `variant` counts the cases of one kind.
PeerCase varied(PeerCase c, int variant, std::mt19937& random) {
  const std::size_t row = 512 / size_of(c.type);
  const std::size_t smallest = smallest_two_shot_region_bytes(c.size);
  const auto size = static_cast<std::uint64_t>(c.size);
  c.seed = random();
  c.root = static_cast<int>(random() % size);
  c.in_place = random() % 3 == 0 && c.pattern != Pattern::bcast;
  c.skipped = random() % 3 == 0 ? 1 + random() % 3 : 0;
  c.values = static_cast<Values>(random() % 3);
  const std::uint64_t shares = may_be_one_shot(c.pattern) ? size : c.pattern == Pattern::bcast ? size - 1 : 1;
  if (c.shots == Shots::one) {
    const std::uint64_t lengths[] = {1, row * 2 + 3, 16384 / size_of(c.type), 7, 0};
    c.elements = lengths[random() % 5];
    c.region_bytes = one_shot_region_bytes(c.elements * size_of(c.type), c.size);
  } else if (variant == 0) {  // one channel, slots used several times
    c.region_bytes = smallest;
    c.elements = row * shares * (9 + random() % 4) + random() % row;
  } else if (variant == 1) {  // few rounds
    const std::uint64_t lengths[] = {0, 1, 3, row - 1, row, row + 1, 7 * row + 13};
    c.elements = lengths[random() % 7];
    c.region_bytes = max_region_bytes;
  } else {  // many channels
    c.region_bytes = std::min(max_region_bytes, 13 * smallest);
    c.elements = row * shares * 60 + random() % (20 * row);
  }
  return c;
}

constexpr DataType reducible_types[] = {DataType::float16, DataType::bfloat16, DataType::float32, DataType::float64,
                                        DataType::int32,   DataType::uint32,   DataType::int64,   DataType::uint64};
constexpr DataType compressible_types[] = {DataType::float16, DataType::bfloat16, DataType::float32};

/// All kinds of collectives among `size` ranks. `thorough`: three of each, and all operations; otherwise sums.
std::vector<PeerCase> all_cases(int size, bool thorough) {
  std::vector<PeerCase> cases;
  std::mt19937 random(static_cast<unsigned>(size));
  const auto add = [&](PeerCase c) {
    c.size = size;
    for (int variant = 0; variant < (c.shots == Shots::one || !thorough ? 1 : 3); ++variant)
      cases.push_back(varied(c, variant, random));
  };
  std::vector<ReduceOp> ops = {ReduceOp::sum};
  if (thorough) ops = {ReduceOp::sum, ReduceOp::max, ReduceOp::min, ReduceOp::prod};
  for (const Pattern pattern : {Pattern::allreduce, Pattern::reduce_scatter_block, Pattern::reduce,
                                Pattern::reduce_scatter, Pattern::scan, Pattern::exscan}) {
    for (const ReduceOp op : ops) {
      for (const DataType type : reducible_types) {
        add({.pattern = pattern, .type = type, .op = op});
        if (may_be_one_shot(pattern)) add({.pattern = pattern, .shots = Shots::one, .type = type, .op = op});
      }
      if (pattern > Pattern::reduce_scatter_block) continue;  // not compressed
      for (const WireFormat wire : every_wire_format) {
        for (const DataType type : compressible_types)
          if (op != ReduceOp::prod) add({.pattern = pattern, .wire = wire, .type = type, .op = op});
      }
    }
  }
  for (const DataType type : reducible_types) add({.pattern = Pattern::alltoallv, .type = type});
  for (int i = 0; i < 6; ++i) add({.pattern = Pattern::alltoallv, .type = DataType::byte});
  for (const Pattern pattern : {Pattern::allgather, Pattern::bcast}) {
    for (const DataType type : reducible_types) add({.pattern = pattern, .type = type});
    add({.pattern = pattern, .type = DataType::byte});
    for (const WireFormat wire : every_wire_format) {
      for (const DataType type : compressible_types) add({.pattern = pattern, .wire = wire, .type = type});
    }
  }
  return cases;
}

class PeerEngine : public testing::TestWithParam<int> {};

TEST_P(PeerEngine, EveryCollectiveIsRightAndLeavesHoles) {
  const int gpus = count_gpus_elsewhere();
  if (gpus == 0) GTEST_SKIP() << "there is no GPU here";
  const int size = GetParam();
  const std::vector<PeerCase> cases = all_cases(size, size <= std::max(3, gpus));
  const std::string failure =
      run_ranks(size, 500, [&](const Rank& rank) { run_cases(rank, std::min(gpus, rank.size()), cases); });
  EXPECT_EQ(failure, "");
}

INSTANTIATE_TEST_SUITE_P(Ranks, PeerEngine, testing::Values(1, 2, 3, 4, 5, 8, 16));

TEST(PeerEngineSharing, RanksOfOneGpuAreRightToo) {
  if (count_gpus_elsewhere() < 2) GTEST_SKIP() << "there is one GPU at most, so ranks share it in all tests";
  const std::vector<PeerCase> cases = all_cases(3, false);
  EXPECT_EQ(run_ranks(3, 500, [&](const Rank& rank) { run_cases(rank, 1, cases); }), "");
}

TEST(PeerEngineErrors, WhatCannotRunIsRefusedWithAReason) {
  if (count_gpus_elsewhere() == 0) GTEST_SKIP() << "there is no GPU here";
  const std::string failure = run_ranks(1, 100, [](const Rank&) {
    const OpenedDevice opened(0);
    const DeviceMemory memory(4096);
    PeerCollective c;
    c.size = 2;
    c.elements = 100;
    c.input = memory.data();
    c.output = memory.data();
    const auto refused = [&](const PeerCollective& collective) {
      Error error;
      if (OpenedDevice::backend().launch(opened.queue(), collective, error) || error.text[0] == '\0')
        throw std::runtime_error("a collective that cannot run was launched");
    };
    c.region_bytes = smallest_two_shot_region_bytes(2) / 8;
    refused(c);
    c.region_bytes = max_region_bytes;
    c.type = DataType::byte;
    refused(c);
    c.type = DataType::float64;
    c.wire = WireFormat::mxint8;
    refused(c);
    c.type = DataType::float16;
    c.op = ReduceOp::prod;
    refused(c);
    c.op = ReduceOp::sum;
    c.shots = Shots::one;
    refused(c);
    c.shots = Shots::two;
    c.pattern = Pattern::alltoallv;
    refused(c);  // compressed
    c.pattern = Pattern::allreduce;
    c.size = max_peers + 1;
    refused(c);
  });
  EXPECT_EQ(failure, "");
}

}  // namespace
}  // namespace airamp::gpu::test
