// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/compressed/compressed_gather.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "tests/pmpi/algorithm/acquired.hpp"

namespace airamp::pmpi {
namespace {

/// What a contribution is once it has travelled.
std::vector<float> rounded(const std::vector<float>& values, WireFormat format = WireFormat::mxfp8_e4m3) {
  const codec::Codec& codec = codec::host_reference_codec(format, ElementType::float32);
  std::vector<std::byte> wire(codec.rows(values.size()) * codec::wire_row_bytes);
  codec.encode(values.data(), values.size(), wire.data());
  std::vector<float> decoded(values.size());
  codec.decode(wire.data(), values.size(), decoded.data());
  return decoded;
}

using Lengths = std::function<std::size_t(int rank)>;

/// The blocks of all ranks, one after the other.
struct Gathered {
  Gathered(int ranks, const Lengths& length) {
    std::size_t total = 0;
    for (int rank = 0; rank < ranks; ++rank) total += length(rank);
    values.resize(total, -1);
    std::size_t begin = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      begins.push_back(begin);
      blocks.push_back({reinterpret_cast<std::byte*>(values.data() + begin), length(rank)});
      begin += length(rank);
    }
  }
  std::vector<float> block(int rank) const {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(begins[static_cast<std::size_t>(rank)]);
    return {from, from + static_cast<std::ptrdiff_t>(blocks[static_cast<std::size_t>(rank)].elements)};
  }

  std::vector<float> values;
  std::vector<std::size_t> begins;
  std::vector<GatherBlock> blocks;
};

class Gather : public ::testing::TestWithParam<std::tuple<int, std::uint64_t>> {
 protected:
  int ranks() const { return std::get<0>(GetParam()); }

  void gather(Kind kind, const Lengths& length, WireFormat format = WireFormat::mxfp8_e4m3) {
    const int size = ranks();
    config::Settings settings = opted_in();
    settings.codec = format;
    const Outcome outcome = run_ranks({.ranks = size, .seed = std::get<1>(GetParam())}, [&](int rank) {
      const AirampRank airamp(settings);
      const AcquiredOnRank made(AlgorithmId::mpi_two_shot, kind, compressed_facts(length(0)), rank, size);
      ASSERT_NE(made.acquired.algorithm, nullptr);
      const std::vector<float> own = contribution(rank, length(rank));
      Gathered all(size, length);
      EXPECT_EQ(made->execute({.input = own.data(), .blocks = all.blocks}), MPI_SUCCESS);
      for (int peer = 0; peer < size; ++peer)
        EXPECT_TRUE(all.block(peer) == rounded(contribution(peer, length(peer)), format)) << "block " << peer;
      EXPECT_EQ(made->prepare_next(), MPI_SUCCESS);
    });
    EXPECT_EQ(outcome.trouble, "");
    EXPECT_EQ(outcome.requests_left, 0U);
  }
};

TEST_P(Gather, EveryRankGetsTheSameBits) {
  gather(Kind::allgather, [](int) { return 497; });
  gather(Kind::allgather, [](int) { return 40000; });
}

TEST_P(Gather, EveryFormatGivesTheBitsOfItsReference) {
  for (const WireFormat format : every_wire_format)
    gather(
        Kind::allgatherv, [](int rank) { return static_cast<std::size_t>(9001 * rank); }, format);
}

TEST_P(Gather, BlocksMayDifferInLength) {
  gather(Kind::allgatherv, [](int rank) { return rank == 1 ? 0 : static_cast<std::size_t>(1 + 9000 * rank); });
}

TEST_P(Gather, WhatTravelsIsRoundedOnce) {
  const std::vector<float> own = contribution(0, 3000);
  const std::vector<float> decoded = rounded(own);
  float largest = 0;
  for (const float value : own) largest = std::max(largest, std::fabs(value));
  for (std::size_t i = 0; i < own.size(); ++i)
    ASSERT_LE(std::fabs(decoded[i] - own[i]), std::fabs(own[i]) / 16 + largest / 256) << i;
}

TEST_P(Gather, AsksAlongWithItsData) {
  constexpr std::size_t elements = 20000;
  const int size = ranks();
  const Outcome outcome = run_ranks({.ranks = size, .seed = std::get<1>(GetParam())}, [&](int rank) {
    const AirampRank airamp(opted_in());
    const AcquiredOnRank made(AlgorithmId::mpi_two_shot, Kind::allgather, compressed_facts(elements), rank, size);
    ASSERT_NE(made.acquired.algorithm, nullptr);
    PiggybackedAgreement* const asking = made->piggybacked_agreement();
    ASSERT_NE(asking, nullptr);
    const std::vector<float> own = contribution(rank, elements);
    for (int objector = 0; objector <= size; ++objector) {
      Gathered all(size, [&](int) { return elements; });
      const std::vector<float> untouched = all.values;
      const Result<bool> agreed =
          asking->execute_if_agreed({.input = own.data(), .blocks = all.blocks}, rank != objector);
      ASSERT_TRUE(agreed.ok());
      EXPECT_EQ(*agreed, objector == size);
      EXPECT_EQ(all.values == untouched, !*agreed);
      for (int peer = 0; *agreed && peer < size; ++peer)
        EXPECT_TRUE(all.block(peer) == rounded(contribution(peer, elements)));
      EXPECT_EQ(native().MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);  // after a veto the ranks agree in the other way
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

INSTANTIATE_TEST_SUITE_P(Ranks, Gather, ::testing::Combine(::testing::Values(2, 3, 5, 7), ::testing::Values(1U, 2U)));

}  // namespace
}  // namespace airamp::pmpi
