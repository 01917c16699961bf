// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/compressed/two_shot.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"
#include "pmpi/algorithm/abilities/piggybacked_agreement.hpp"
#include "tests/pmpi/algorithm/acquired.hpp"

namespace airamp::pmpi {
namespace {

using Vectors = std::vector<std::vector<float>>;

std::vector<std::byte> encoded(const codec::Codec& codec, const std::vector<float>& values) {
  std::vector<std::byte> wire(codec.rows(values.size()) * codec::wire_row_bytes);
  codec.encode(values.data(), values.size(), wire.data());
  return wire;
}

/// What every rank is to get, to the last bit: each contribution rounded once, then the sum of all.
std::vector<float> expected(int ranks, std::size_t elements, ReduceOp op, WireFormat format = WireFormat::mxfp8_e4m3) {
  const codec::Codec& codec = codec::host_reference_codec(format, ElementType::float32);
  std::vector<std::vector<std::byte>> wires;
  std::vector<const std::byte*> places;
  for (int rank = 0; rank < ranks; ++rank) wires.push_back(encoded(codec, contribution(rank, elements)));
  for (const auto& wire : wires) places.push_back(wire.data());
  std::vector<std::byte> result(wires.front().size());
  codec.reduce(places.data(), places.size(), elements, op, result.data());
  std::vector<float> values(elements);
  codec.decode(result.data(), elements, values.data());
  return values;
}

/// A number of ranks and a seed.
class TwoShot : public ::testing::TestWithParam<std::tuple<int, std::uint64_t>> {
 protected:
  int ranks() const { return std::get<0>(GetParam()); }
  std::uint64_t seed() const { return std::get<1>(GetParam()); }

  /// The results of all ranks, of one call.
  Vectors results(std::size_t elements, ReduceOp op, WireFormat format = WireFormat::mxfp8_e4m3) {
    config::Settings settings = opted_in();
    settings.codec = format;
    Vectors all(static_cast<std::size_t>(ranks()));
    const Outcome outcome = run_ranks({.ranks = ranks(), .seed = seed()}, [&](int rank) {
      const AirampRank airamp(settings);
      const AcquiredOnRank made(AlgorithmId::mpi_two_shot, Kind::allreduce, compressed_facts(elements, op), rank,
                                ranks());
      ASSERT_NE(made.acquired.algorithm, nullptr);
      const std::vector<float> input = contribution(rank, elements);
      std::vector<float>& output = all[static_cast<std::size_t>(rank)];
      output.resize(elements);
      EXPECT_EQ(made->execute({.input = input.data(), .output = output.data(), .elements = elements, .blocks = {}}),
                MPI_SUCCESS);
      EXPECT_GT(made->sent_bytes(), 0U);
    });
    EXPECT_EQ(outcome.trouble, "");
    EXPECT_EQ(outcome.requests_left, 0U);
    return all;
  }
};

TEST_P(TwoShot, AllRanksGetTheBitsOfTheReference) {
  for (const std::size_t elements : {std::size_t{1}, std::size_t{497}, std::size_t{20011}}) {
    const std::vector<std::byte> bits = bits_of(expected(ranks(), elements, ReduceOp::sum));
    for (const auto& result : results(elements, ReduceOp::sum)) EXPECT_TRUE(bits_of(result) == bits);
  }
}

TEST_P(TwoShot, EveryFormatGivesTheBitsOfItsReference) {
  for (const WireFormat format : every_wire_format) {
    const std::vector<std::byte> bits = bits_of(expected(ranks(), 20011, ReduceOp::sum, format));
    for (const auto& result : results(20011, ReduceOp::sum, format)) EXPECT_TRUE(bits_of(result) == bits);
  }
}

TEST_P(TwoShot, ExtremesAreReducedAsWell) {
  for (const ReduceOp op : {ReduceOp::max, ReduceOp::min}) {
    const std::vector<std::byte> bits = bits_of(expected(ranks(), 3000, op));
    for (const auto& result : results(3000, op)) EXPECT_TRUE(bits_of(result) == bits);
  }
}

// A rounding to three bits of mantissa is off by at most a sixteenth, of a small element by a part of the largest.
TEST_P(TwoShot, SumsAreWithinTheBoundOfTheCodec) {
  constexpr std::size_t elements = 5000;
  std::vector<double> sums(elements);
  std::vector<double> bounds(elements);
  double largest = 0;
  for (int rank = 0; rank < ranks(); ++rank) {
    const std::vector<float> own = contribution(rank, elements);
    for (std::size_t i = 0; i < elements; ++i) {
      sums[i] += own[i];
      bounds[i] += std::fabs(own[i]) / 16;
      largest = std::max<double>(largest, std::fabs(own[i]));
    }
  }
  const auto result = results(elements, ReduceOp::sum).front();
  ASSERT_EQ(result.size(), elements);
  for (std::size_t i = 0; i < elements; ++i) {
    const double smallest_step = 2 * (ranks() + 1) * ranks() * largest / 512;
    const double bound = bounds[i] + (std::fabs(sums[i]) + bounds[i]) / 16 + smallest_step;
    ASSERT_LE(std::fabs(result[i] - sums[i]), bound) << i;
  }
}

TEST_P(TwoShot, InPlaceIsTheSame) {
  constexpr std::size_t elements = 4000;
  const std::vector<std::byte> bits = bits_of(expected(ranks(), elements, ReduceOp::sum));
  const Outcome outcome = run_ranks({.ranks = ranks(), .seed = seed()}, [&](int rank) {
    const AirampRank airamp(opted_in());
    const AcquiredOnRank made(AlgorithmId::mpi_two_shot, Kind::allreduce, compressed_facts(elements), rank, ranks());
    ASSERT_NE(made.acquired.algorithm, nullptr);
    std::vector<float> values = contribution(rank, elements);
    EXPECT_EQ(made->execute({.input = values.data(), .output = values.data(), .elements = elements, .blocks = {}}),
              MPI_SUCCESS);
    EXPECT_TRUE(bits_of(values) == bits);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Requests stay from call to call, and are made anew where the length changes; what was posted ahead does no harm.
TEST_P(TwoShot, CallsOfOtherLengthsFollowEachOther) {
  const Outcome outcome = run_ranks({.ranks = ranks(), .seed = seed()}, [&](int rank) {
    const AirampRank airamp(opted_in());
    const AcquiredOnRank made(AlgorithmId::mpi_two_shot, Kind::allreduce, compressed_facts(60000), rank, ranks());
    ASSERT_NE(made.acquired.algorithm, nullptr);
    for (const std::size_t elements : {std::size_t{60000}, std::size_t{700}, std::size_t{700}, std::size_t{60000}}) {
      std::vector<float> values = contribution(rank, elements);
      EXPECT_EQ(made->execute({.input = values.data(), .output = values.data(), .elements = elements, .blocks = {}}),
                MPI_SUCCESS);
      EXPECT_TRUE(values == expected(ranks(), elements, ReduceOp::sum));
      EXPECT_EQ(made->prepare_next(), MPI_SUCCESS);
    }
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

// Every rank in turn says no, then all say yes: no output is touched before all have consented.
TEST_P(TwoShot, AsksAlongWithItsData) {
  constexpr std::size_t elements = 30000;
  const std::vector<float> sums = expected(ranks(), elements, ReduceOp::sum);
  const Outcome outcome = run_ranks({.ranks = ranks(), .seed = seed()}, [&](int rank) {
    const AirampRank airamp(opted_in());
    const AcquiredOnRank made(AlgorithmId::mpi_two_shot, Kind::allreduce, compressed_facts(elements), rank, ranks());
    ASSERT_NE(made.acquired.algorithm, nullptr);
    PiggybackedAgreement* const asking = made->piggybacked_agreement();
    ASSERT_NE(asking, nullptr);
    const std::vector<float> own = contribution(rank, elements);
    for (int objector = 0; objector <= ranks(); ++objector) {
      std::vector<float> values = own;
      const Result<bool> agreed = asking->execute_if_agreed(
          {.input = values.data(), .output = values.data(), .elements = elements, .blocks = {}}, rank != objector);
      ASSERT_TRUE(agreed.ok());
      EXPECT_EQ(*agreed, objector == ranks());
      EXPECT_TRUE(values == (*agreed ? sums : own));
      EXPECT_GE(asking->waited_seconds(), 0);
      EXPECT_EQ(native().MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);  // after a veto the ranks agree in the other way
    }
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

INSTANTIATE_TEST_SUITE_P(Ranks, TwoShot, ::testing::Combine(::testing::Values(2, 3, 5, 7), ::testing::Values(1U, 2U)));

}  // namespace
}  // namespace airamp::pmpi
