// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Whole collectives over peer memory between emulated GPUs: the kernels, and what launches them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "gpu/peer/geometry.hpp"
#include "tests/gpu/device/emulated_ranks.hpp"

namespace airamp::gpu::test {
namespace {

/// What GPUs' waves are: warps, two warps in step, or one and the other in turn.
struct Waves {
  const char* name;
  std::vector<std::uint32_t> lanes;

  friend void PrintTo(const Waves& waves, std::ostream* out) { *out << waves.name; }
};

class Collectives : public testing::TestWithParam<Waves> {
 protected:
  /// On one, two and three multiprocessors in turn, with regions for one, two or three channels or so. `c` says neither
  /// the region nor the seed; every third case is in place, if `may_be_in_place`, and buffers lie in all ways.
  void run(PeerCase c, bool may_be_in_place = true) {
    const std::uint32_t n = number_++;
    c.seed = n;
    c.in_place = may_be_in_place && n % 3 == 2;
    c.skipped = n / 2 % 4;
    c.region_bytes = c.shots == Shots::one ? one_shot_region_bytes(c.elements * size_of(c.type), c.size)
                                           : smallest_two_shot_region_bytes(c.size) * (1 + n / 3 % 4);
    const int multiprocessors = 1 + static_cast<int>(n / 5 % 3);
    EmulatedRanks ranks(c, {GetParam().lanes, multiprocessors, n});
    EXPECT_EQ(ranks.run(), "") << to_string(c) << ", " << multiprocessors << " multiprocessors";
  }

  /// Lengths in elements: a single one, part of a tile, and so many rounds that slots are used again.
  static constexpr std::uint64_t lengths[] = {1, 777, 6001};
  static constexpr std::uint64_t reduced_lengths[] = {1, 777, 8001};  // of two bytes; each has an owner

 private:
  std::uint32_t number_ = 0;
};

TEST_P(Collectives, SumsByOwners) {
  for (const int size : {2, 3, 4})
    for (const DataType type : {DataType::float16, DataType::bfloat16, DataType::float32, DataType::float64,
                                DataType::int32, DataType::uint64})
      for (const std::uint64_t elements : reduced_lengths)
        run({.type = type, .elements = std::max<std::uint64_t>(elements * 2 / size_of(type), 1), .size = size});
  run({.type = DataType::float32, .elements = 9001, .size = 8});
}

TEST_P(Collectives, OtherOperations) {
  for (const int size : {2, 3})
    for (const ReduceOp op : {ReduceOp::max, ReduceOp::min, ReduceOp::prod})
      for (const DataType type : {DataType::float32, DataType::int64})
        run({.type = type, .op = op, .elements = 1001, .size = size, .values = Values::any_bits});
}

TEST_P(Collectives, ReduceScatterBlock) {
  for (const int size : {2, 3, 4})
    for (const DataType type : {DataType::bfloat16, DataType::int64})
      for (const std::uint64_t elements : {0u, 259u, 3001u})
        run({.pattern = Pattern::reduce_scatter_block, .type = type, .elements = elements, .size = size});
}

TEST_P(Collectives, SumsInOneShot) {
  for (const int size : {2, 3, 4})
    for (const DataType type : {DataType::float16, DataType::float64, DataType::int32, DataType::uint64})
      for (const std::uint64_t elements : {1u, 200u, 1501u})
        run({.shots = Shots::one, .type = type, .elements = elements, .size = size});
}

/// To each root, of lengths in which some ranks own nothing, and so many that slots are used again.
TEST_P(Collectives, Reduce) {
  for (const int size : {2, 3, 4})
    for (const DataType type : {DataType::float16, DataType::float64, DataType::int32})
      for (const std::uint64_t elements : {1u, 777u, 5001u})
        run({.pattern = Pattern::reduce,
             .type = type,
             .elements = elements,
             .size = size,
             .root = static_cast<int>(elements) % size});
  run({.pattern = Pattern::reduce, .op = ReduceOp::max, .elements = 2001, .size = 2, .values = Values::any_bits});
  run({.pattern = Pattern::reduce, .type = DataType::float32, .elements = 9001, .size = 8, .root = 5});
}

/// Of results that differ in length by one, by much, and of none.
TEST_P(Collectives, ReduceScatter) {
  for (const int size : {2, 3, 4})
    for (const DataType type : {DataType::bfloat16, DataType::float32, DataType::int32, DataType::uint64})
      for (const std::uint64_t elements : {1u, 259u, 3001u})
        run({.pattern = Pattern::reduce_scatter, .type = type, .elements = elements, .size = size});
}

TEST_P(Collectives, Prefixes) {
  for (const Pattern pattern : {Pattern::scan, Pattern::exscan})
    for (const int size : {2, 3, 4}) {
      for (const DataType type : {DataType::float16, DataType::float64, DataType::int32, DataType::uint64})
        for (const std::uint64_t elements : {1u, 777u, 4001u})
          run({.pattern = pattern, .type = type, .elements = elements, .size = size});
      run({.pattern = pattern,
           .type = DataType::int64,
           .op = ReduceOp::min,
           .elements = 1001,
           .size = size,
           .values = Values::any_bits});
    }
}

TEST_P(Collectives, OtherReductionsInOneShot) {
  for (const Pattern pattern : {Pattern::reduce, Pattern::scan, Pattern::exscan})
    for (const int size : {2, 3, 6})
      for (const DataType type : {DataType::bfloat16, DataType::int32})
        for (const std::uint64_t elements : {1u, 701u})
          run({.pattern = pattern,
               .shots = Shots::one,
               .type = type,
               .elements = elements,
               .size = size,
               .root = size - 1});
}

TEST_P(Collectives, Allgather) {
  for (const int size : {2, 3, 4})
    for (const DataType type : {DataType::byte, DataType::float16, DataType::int64})
      for (const std::uint64_t elements : lengths)
        run({.pattern = Pattern::allgather, .type = type, .elements = elements, .size = size});
}

TEST_P(Collectives, Alltoall) {
  for (const int size : {2, 3, 4})
    for (const DataType type : {DataType::byte, DataType::int32})
      for (const std::uint64_t elements : lengths)
        run({.pattern = Pattern::alltoallv, .type = type, .elements = elements, .size = size});
}

TEST_P(Collectives, Broadcast) {
  for (const int size : {2, 3, 4})
    for (const int root : {0, size - 1})
      for (const std::uint64_t elements : lengths)
        run({.pattern = Pattern::bcast, .type = DataType::int32, .elements = elements, .size = size, .root = root},
            false);
}

TEST_P(Collectives, Compressed) {
  for (const WireFormat wire : {WireFormat::mxfp8_e4m3, WireFormat::mxfp6_e2m3, WireFormat::mxfp4}) {
    for (const int size : {2, 3, 4}) {
      for (const std::uint64_t elements : {1u, 8001u}) {
        PeerCase c{.wire = wire, .type = DataType::float16, .elements = elements, .size = size};
        c.values = Values::poisoned;
        run(c);
        c.pattern = Pattern::reduce_scatter_block;
        run(c);
        c.pattern = Pattern::allgather;
        run(c);
        c.pattern = Pattern::bcast;
        run(c, false);
      }
    }
  }
  run({.wire = WireFormat::mxfp4, .type = DataType::bfloat16, .elements = 8001, .size = 2});
  run({.wire = WireFormat::mxfp6_e3m2, .type = DataType::float32, .elements = 8001, .size = 3});
}

/// One after the other in the same regions.
TEST_P(Collectives, LeaveEverythingAsItWas) {
  PeerCase c{.type = DataType::int32, .elements = 3001, .size = 3};
  c.region_bytes = smallest_two_shot_region_bytes(c.size);
  EmulatedRanks ranks(c, {GetParam().lanes, 2, 0});
  for (int i = 0; i < 3; ++i) {
    for (int r = 0; r < c.size; ++r) ranks[r].refill();
    EXPECT_EQ(ranks.run(), "") << "the collective number " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(OfWaves, Collectives,
                         testing::Values(Waves{"Of32Lanes", {32}}, Waves{"Of64Lanes", {64}}, Waves{"OfBoth", {32, 64}}),
                         [](const auto& waves) { return std::string(waves.param.name); });

}  // namespace
}  // namespace airamp::gpu::test
