// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Launches that do not start on all ranks, or are told to leave: gpu/device/start_gate.hpp and its host's side. The
// protocol is that of tests/protocol/gpu_start.pml.
#include "gpu/runtime/call_off.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "gpu/peer/geometry.hpp"
#include "tests/gpu/device/emulated_ranks.hpp"

namespace airamp::gpu::test {
namespace {

using device::emulated_gpus;

/// Collectives that write to no output before all ranks' kernels run; with votes (several multiprocessors) or without.
struct Start {
  const char* name;
  PeerCase collective;
  int multiprocessors;

  friend void PrintTo(const Start& start, std::ostream* out) { *out << start.name; }
};

const Start starts[] = {
    {"SumOfTwoRanksInOneBlock", {.type = DataType::float32, .elements = 3001, .size = 2}, 1},
    {"SumOfTwoRanksInBlocks", {.type = DataType::int32, .elements = 3001, .size = 2}, 3},
    {"SumOfThreeRanksInOneBlock", {.type = DataType::float64, .elements = 1001, .size = 3}, 1},
    {"SumOfThreeRanksInBlocks", {.type = DataType::int64, .elements = 1001, .size = 3, .in_place = true}, 2},
    {"OneShotInOneBlock", {.shots = Shots::one, .type = DataType::int32, .elements = 500, .size = 3}, 1},
    {"OneShotInTwoTurns", {.shots = Shots::one, .type = DataType::float32, .elements = 2000, .size = 3}, 1},
    {"OneShotInBlocks", {.shots = Shots::one, .type = DataType::float32, .elements = 2200, .size = 4}, 2},
    {"ReduceInOneBlock", {.pattern = Pattern::reduce, .elements = 1201, .size = 3, .root = 2}, 1},
    {"ReduceScatter", {.pattern = Pattern::reduce_scatter, .type = DataType::int32, .elements = 901, .size = 3}, 2},
    {"ExclusiveScan", {.pattern = Pattern::exscan, .type = DataType::int32, .elements = 901, .size = 3}, 2},
    {"ScanInOneShot", {.pattern = Pattern::scan, .shots = Shots::one, .elements = 500, .size = 3}, 1},
    {"Broadcast", {.pattern = Pattern::bcast, .type = DataType::int32, .elements = 3001, .size = 3, .root = 1}, 2},
    {"CompressedAllgather",
     {.pattern = Pattern::allgather,
      .wire = WireFormat::mxfp8_e4m3,
      .type = DataType::float16,
      .elements = 3001,
      .size = 3,
      .in_place = true},
     2},
};

/// Of one warp, in which a rank may get nothing and own nothing. They begin too soon to be called off while they run.
const Start short_starts[] = {
    {"Reduce", {.pattern = Pattern::reduce, .elements = 100, .size = 4, .root = 2}, 1},
    {"ReduceInOneShot", {.pattern = Pattern::reduce, .shots = Shots::one, .elements = 100, .size = 3}, 1},
    {"ExclusiveScanInOneShot", {.pattern = Pattern::exscan, .shots = Shots::one, .elements = 100, .size = 3}, 1},
};

/// How many lanes a wave has makes a difference in how blocks vote, not in what they do afterwards.
std::vector<Start> starts_with_votes() {
  std::vector<Start> several_blocks;
  std::ranges::copy_if(starts, std::back_inserter(several_blocks),
                       [](const Start& start) { return start.multiprocessors > 1; });
  return several_blocks;
}

class CallOff : public testing::TestWithParam<std::tuple<Start, std::uint32_t>> {
 protected:
  CallOff() : case_(std::get<0>(GetParam()).collective) {
    case_.region_bytes = case_.shots == Shots::one
                             ? one_shot_region_bytes(case_.elements * size_of(case_.type), case_.size)
                             : smallest_two_shot_region_bytes(case_.size) * 3;
  }

  EmulatedRanks ranks(std::uint32_t seed) {
    return {case_, {{std::get<1>(GetParam())}, std::get<0>(GetParam()).multiprocessors, seed}};
  }

  /// All ranks' launches are told to leave, and have left in the end or are done.
  static testing::AssertionResult leave(EmulatedRanks& all) {
    Error error;
    for (int r = 0; r < all.size(); ++r)
      if (!runtime::dismiss(&all[r].queue(), error)) return testing::AssertionFailure() << error.text.data();
    for (int r = 0; r < all.size(); ++r)
      while (!all[r].is_done() && runtime::has_left(all[r].queue(), error) != Progress::left)
        if (!emulated_gpus.go_on()) return testing::AssertionFailure() << "rank " << r << " does not leave";
    return testing::AssertionSuccess();
  }

  /// Makes everything ready for another launch.
  static testing::AssertionResult recover(EmulatedRanks& all, std::size_t region_bytes) {
    Error error;
    for (int r = 0; r < all.size(); ++r) {
      while (!runtime::recover(&all[r].queue(), error))
        if (!emulated_gpus.go_on()) return testing::AssertionFailure() << "rank " << r << " is never free";
      if (auto wrong = all[r].wrong_state(); !wrong.empty()) return testing::AssertionFailure() << wrong;
    }
    emulated_gpus.memory.deliver_all();
    for (int r = 0; r < all.size(); ++r) {
      runtime::erase(&all[r].queue(), all[r].region(), region_bytes, error);
      all[r].refill();
    }
    return testing::AssertionSuccess();
  }

  static std::string written(EmulatedRanks& all) {
    std::string wrong;
    for (int r = 0; r < all.size() && wrong.empty(); ++r) wrong = all[r].wrong_if_written();
    return wrong;
  }

  void expect_nothing_written_without_room();

  PeerCase case_;
};

void CallOff::expect_nothing_written_without_room() {
  for (const bool first_block : {true, false}) {
    EmulatedRanks all = ranks(first_block);
    bool has_room = false;
    all[1].stream().has_room = [&](std::uint32_t block) { return has_room || (block == 0) != first_block; };
    if (!first_block && std::get<0>(GetParam()).multiprocessors == 1) continue;  // there is one block
    ASSERT_EQ(all.launch(), "");
    while (emulated_gpus.go_on()) continue;  // until nothing happens any more
    EXPECT_EQ(written(all), "");

    emulated_gpus.note_change();
    Error error;
    bool runs = true;
    ASSERT_TRUE(runtime::call_off(&all[1].queue(), runs, error)) << error.text.data();
    EXPECT_FALSE(runs);
    ASSERT_TRUE(leave(all));
    EXPECT_EQ(written(all), "");

    has_room = true;  // the blocks that come now have to find that they are called off
    ASSERT_TRUE(recover(all, case_.region_bytes));
    EXPECT_TRUE(emulated_gpus.are_idle());
    EXPECT_EQ(written(all), "");
    EXPECT_EQ(all.run(), "") << "after a launch that was called off";
  }
}

TEST_P(CallOff, NothingIsWrittenWhileABlockHasNoRoom) { expect_nothing_written_without_room(); }

class CallOffOfOneWarp : public CallOff {};

TEST_P(CallOffOfOneWarp, NothingIsWrittenWhileItHasNoRoom) { expect_nothing_written_without_room(); }

TEST_P(CallOff, AtAnyTimeHoldsForAllRanksOrForNone) {
  int times_called_off = 0;
  int times_run = 0;
  for (std::uint32_t steps = 0; steps < 60; steps += 1 + steps / 3) {
    EmulatedRanks all = ranks(steps);
    ASSERT_EQ(all.launch(), "");
    for (std::uint32_t i = 0; i < steps; ++i) emulated_gpus.go_on();
    Error error;
    bool runs = false;
    ASSERT_TRUE(runtime::call_off(&all[0].queue(), runs, error)) << error.text.data();
    if (runs) {
      ++times_run;
      EXPECT_EQ(all.wait(), "") << "called off too late, after " << steps << " steps";
      EXPECT_TRUE(runtime::is_reset(all[0].queue(), error)) << error.text.data();
      EXPECT_EQ(all[0].wrong_state(), "");
      continue;
    }
    ++times_called_off;
    ASSERT_TRUE(leave(all)) << "after " << steps << " steps";
    ASSERT_EQ(written(all), "") << "after " << steps << " steps";
    ASSERT_TRUE(recover(all, case_.region_bytes)) << "after " << steps << " steps";
    EXPECT_EQ(all.run(), "") << "after a launch that was called off after " << steps << " steps";
  }
  EXPECT_GT(times_called_off, 0);
  EXPECT_GT(times_run, 0);
}

TEST_P(CallOff, AllCanBeToldToLeaveAtAnyTime) {
  for (std::uint32_t steps = 10; steps < 400; steps += steps) {
    EmulatedRanks all = ranks(steps);
    ASSERT_EQ(all.launch(), "");
    for (std::uint32_t i = 0; i < steps; ++i) emulated_gpus.go_on();
    ASSERT_TRUE(leave(all)) << "after " << steps << " steps";
    ASSERT_TRUE(recover(all, case_.region_bytes)) << "after " << steps << " steps";
    EXPECT_EQ(all.run(), "") << "after a launch that left after " << steps << " steps";
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Start, std::uint32_t>>& test) {
  return std::string(std::get<0>(test.param).name) + "On" + std::to_string(std::get<1>(test.param)) + "Lanes";
}

INSTANTIATE_TEST_SUITE_P(Of, CallOff, testing::Combine(testing::ValuesIn(starts), testing::Values(32u)), name_of);
INSTANTIATE_TEST_SUITE_P(OfWideWaves, CallOff,
                         testing::Combine(testing::ValuesIn(starts_with_votes()), testing::Values(64u)), name_of);
INSTANTIATE_TEST_SUITE_P(Of, CallOffOfOneWarp,
                         testing::Combine(testing::ValuesIn(short_starts), testing::Values(32u, 64u)), name_of);

}  // namespace
}  // namespace airamp::gpu::test
