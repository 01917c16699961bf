// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/ordered_messages.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "testing/bitwise_sum.hpp"
#include "tests/pmpi/algorithm/acquired.hpp"

namespace airamp::pmpi {
namespace {

template <class Real>
constexpr DataType type_of = sizeof(Real) == sizeof(float) ? DataType::float32 : DataType::float64;

/// Of many magnitudes, so that every other order of additions shows, and near 1 for products.
template <class Real>
std::vector<Real> given(int rank, std::size_t elements, ReduceOp op) {
  std::mt19937_64 random(static_cast<unsigned>(rank) + 1);
  std::vector<Real> values(elements);
  for (Real& value : values) {
    const double mantissa = 1 + std::ldexp(static_cast<double>(random() >> 12U), -52);
    const int exponent = op == ReduceOp::prod ? 0 : static_cast<int>(random() % 40) - 20;
    value = static_cast<Real>(std::ldexp((random() & 1U) != 0 ? mantissa : -mantissa, exponent));
  }
  return values;
}

/// The loop of docs/reproducibility.md.
template <class Real>
std::vector<Real> in_fixed_order(int ranks, std::size_t elements, ReduceOp op) {
  const auto n = static_cast<std::size_t>(ranks);
  std::vector<std::vector<Real>> x;
  for (int rank = 0; rank < ranks; ++rank) x.push_back(given<Real>(rank, elements, op));
  for (std::size_t step = 1; step < n; step *= 2) {
    for (std::size_t i = 0; i + step < n; i += 2 * step) {
      for (std::size_t k = 0; k < elements; ++k) {
        x[i][k] = op == ReduceOp::sum ? x[i][k] + x[i + step][k] : x[i][k] * x[i + step][k];
      }
    }
  }
  return x.front();
}

template <class Real>
std::vector<Real> correctly_rounded(int ranks, std::size_t elements) {
  std::vector<testing::BitwiseSum> sums(elements);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<Real> own = given<Real>(rank, elements, ReduceOp::sum);
    for (std::size_t k = 0; k < elements; ++k) sums[k].add(own[k]);
  }
  std::vector<Real> rounded(elements);
  for (std::size_t k = 0; k < elements; ++k) rounded[k] = sums[k].template rounded<Real>();
  return rounded;
}

/// What one rank calls. `elements`: of the vector; of a reduce_scatter_block of a block.
struct Wanted {
  Kind kind = Kind::allreduce;
  std::size_t elements = 0;
  ReduceOp op = ReduceOp::sum;
  int root = 0;
  bool in_place = false;
  std::size_t shift = 0;  ///< bytes by which the buffers are off their alignment
  int calls = 2;
};

/// The rank's result, of its calls the last one's.
template <class Real>
std::vector<Real> result_of(const Wanted& wanted, int rank, int ranks) {
  const bool scatters = wanted.kind == Kind::reduce_scatter_block;
  const std::size_t blocks = scatters ? static_cast<std::size_t>(ranks) : 1;
  const bool has_result = wanted.kind != Kind::reduce || rank == wanted.root;
  const LocalFacts facts{
      .lossless = true, .type = type_of<Real>, .op = wanted.op, .bytes = wanted.elements * sizeof(Real)};
  const AcquiredOnRank made(AlgorithmId::ordered_messages, wanted.kind, facts, rank, ranks);
  EXPECT_NE(made.acquired.algorithm, nullptr) << made.acquired.why_not;
  if (made.acquired.algorithm == nullptr) return {};
  const std::vector<Real> own = given<Real>(rank, wanted.elements * blocks, wanted.op);
  std::vector<std::byte> input(own.size() * sizeof(Real) + wanted.shift);
  std::vector<std::byte> output(wanted.elements * sizeof(Real) + wanted.shift);
  std::vector<std::byte>& target = wanted.in_place ? input : output;
  for (int call = 0; call < wanted.calls; ++call) {
    std::memcpy(input.data() + wanted.shift, own.data(), own.size() * sizeof(Real));
    const CollectiveData data{.input = input.data() + wanted.shift,
                              .output = has_result ? target.data() + wanted.shift : nullptr,
                              .elements = wanted.elements,
                              .blocks = {},
                              .inputs = blocks,
                              .root = wanted.root,
                              .outputs = has_result ? 1U : 0U};
    EXPECT_EQ(made->execute(data), MPI_SUCCESS);
  }
  std::vector<Real> result(has_result ? wanted.elements : 0);
  if (has_result) std::memcpy(result.data(), target.data() + wanted.shift, result.size() * sizeof(Real));
  return result;
}

/// Every rank that gets a result gets its part of what is expected, to the last bit.
template <class Real>
void expect_bits(int ranks, ReductionOrder order, const Wanted& wanted) {
  const bool scatters = wanted.kind == Kind::reduce_scatter_block;
  const std::size_t all = wanted.elements * (scatters ? static_cast<std::size_t>(ranks) : 1);
  const std::vector<Real> expected = order == ReductionOrder::exact && wanted.op == ReduceOp::sum
                                         ? correctly_rounded<Real>(ranks, all)
                                         : in_fixed_order<Real>(ranks, all, wanted.op);
  const Outcome outcome = run_ranks({.ranks = ranks, .seed = wanted.elements}, [&](int rank) {
    const AirampRank airamp({.reduction_order = order});
    const std::vector<Real> got = result_of<Real>(wanted, rank, ranks);
    const std::size_t begin = scatters ? static_cast<std::size_t>(rank) * wanted.elements : 0;
    EXPECT_TRUE(got.empty() || std::memcmp(got.data(), &expected[begin], got.size() * sizeof(Real)) == 0)
        << "rank " << rank << " of " << ranks << ", " << wanted.elements << " elements";
    EXPECT_EQ(got.empty(), wanted.kind == Kind::reduce && rank != wanted.root);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

/// A number of ranks.
class OrderedMessagesOf : public ::testing::TestWithParam<int> {
 protected:
  int ranks() const { return GetParam(); }
  std::vector<std::size_t> lengths() const { return {1, static_cast<std::size_t>(ranks()) - 1, 497, 4001, 20011}; }
};

TEST_P(OrderedMessagesOf, AllreducesHaveTheBitsThatArePromised) {
  for (const std::size_t elements : lengths()) {
    for (const ReduceOp op : {ReduceOp::sum, ReduceOp::prod}) {
      const Wanted wanted{.elements = elements, .op = op, .in_place = elements % 2 == 0};
      for (const ReductionOrder order : {ReductionOrder::fixed, ReductionOrder::exact}) {
        if (order == ReductionOrder::exact && elements > 497) continue;  // for the sake of time
        expect_bits<double>(ranks(), order, wanted);
        expect_bits<float>(ranks(), order, wanted);
      }
    }
  }
}

TEST_P(OrderedMessagesOf, ReducesToEveryRoot) {
  for (const std::size_t elements : lengths()) {
    for (int root = 0; root < ranks(); ++root) {
      const Wanted wanted{.kind = Kind::reduce, .elements = elements, .root = root, .in_place = root % 2 == 0};
      expect_bits<double>(ranks(), ReductionOrder::fixed, wanted);
    }
  }
}

TEST_P(OrderedMessagesOf, ScattersBlocks) {
  for (const std::size_t elements : {std::size_t{1}, std::size_t{300}, std::size_t{3001}}) {
    for (const bool in_place : {false, true}) {
      const Wanted wanted{.kind = Kind::reduce_scatter_block, .elements = elements, .in_place = in_place};
      expect_bits<double>(ranks(), ReductionOrder::fixed, wanted);
      if (elements <= 300) expect_bits<float>(ranks(), ReductionOrder::exact, wanted);
    }
  }
}

TEST_P(OrderedMessagesOf, BuffersNeedNoAlignment) {
  for (const Kind kind : {Kind::allreduce, Kind::reduce, Kind::reduce_scatter_block}) {
    for (const std::size_t elements : {std::size_t{5}, std::size_t{3001}}) {
      const Wanted wanted{.kind = kind, .elements = elements, .shift = 3};
      expect_bits<double>(ranks(), ReductionOrder::fixed, wanted);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, OrderedMessagesOf, ::testing::Values(2, 3, 5, 7, 8));

// Several steps, the last of them shorter.
TEST(OrderedMessages, LongVectorsGoInSteps) {
  for (const int ranks : {2, 3}) {
    expect_bits<double>(ranks, ReductionOrder::fixed, {.elements = 250007, .in_place = true});
    expect_bits<double>(ranks, ReductionOrder::fixed,
                        {.kind = Kind::reduce, .elements = 250007, .root = ranks - 1, .in_place = true});
    for (const bool in_place : {false, true}) {
      expect_bits<float>(ranks, ReductionOrder::fixed,
                         {.kind = Kind::reduce_scatter_block, .elements = 140003, .in_place = in_place});
    }
  }
}

// More than share the memory of a host, more than are sent to at once, and fewer elements than ranks.
TEST(OrderedMessages, HundredsOfRanks) {
  for (const ReductionOrder order : {ReductionOrder::fixed, ReductionOrder::exact}) {
    expect_bits<double>(300, order, {.elements = 3, .calls = 1});
  }
  expect_bits<double>(300, ReductionOrder::fixed, {.elements = 1000, .calls = 1});
  expect_bits<double>(300, ReductionOrder::fixed, {.kind = Kind::reduce, .elements = 200, .root = 299, .calls = 1});
  expect_bits<double>(150, ReductionOrder::fixed, {.kind = Kind::reduce_scatter_block, .elements = 2, .calls = 1});
}

// What is held of a plan made for the longest calls of a signature does for all others.
TEST(OrderedMessages, ShorterCallsShareThePlan) {
  constexpr int ranks = 5;
  const Outcome outcome = run_ranks({.ranks = ranks, .seed = 6}, [&](int rank) {
    const AirampRank airamp({.reduction_order = ReductionOrder::fixed});
    const LocalFacts facts{.lossless = true, .type = DataType::float64, .op = ReduceOp::sum, .bytes = 40000};
    const AcquiredOnRank made(AlgorithmId::ordered_messages, Kind::allreduce, facts, rank, ranks);
    ASSERT_NE(made.acquired.algorithm, nullptr);
    for (const std::size_t elements : {std::size_t{5000}, std::size_t{2}, std::size_t{409}, std::size_t{5000}}) {
      std::vector<double> values = given<double>(rank, elements, ReduceOp::sum);
      EXPECT_EQ(made->execute({.input = values.data(), .output = values.data(), .elements = elements, .blocks = {}}),
                MPI_SUCCESS);
      EXPECT_EQ(values, in_fixed_order<double>(ranks, elements, ReduceOp::sum));
      EXPECT_GT(made->sent_bytes(), 0U);
    }
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

// With less scratch a vector goes in more steps.
TEST(OrderedMessages, StayWithinTheBudgetOfScratch) {
  constexpr std::size_t elements = 20011;
  for (const std::uint64_t budget : {std::uint64_t{64} << 10U, std::uint64_t{1} << 20U}) {
    const Outcome outcome = run_ranks({.ranks = 3, .seed = 8}, [&](int rank) {
      const AirampRank airamp({.host_scratch = budget, .reduction_order = ReductionOrder::fixed});
      const std::vector<double> got = result_of<double>({.elements = elements}, rank, 3);
      EXPECT_EQ(got, in_fixed_order<double>(3, elements, ReduceOp::sum));
    });
    EXPECT_EQ(outcome.trouble, "");
  }
}

TEST(OrderedMessages, AreHadByAllRanksOrByNone) {
  const Outcome outcome = run_ranks({.ranks = 3}, [](int rank) {
    config::Settings settings{.reduction_order = ReductionOrder::fixed};
    settings.host_scratch = rank == 1 ? 0 : settings.host_scratch;
    const AirampRank airamp(settings);
    const LocalFacts facts{.lossless = true, .type = DataType::float64, .op = ReduceOp::sum, .bytes = 8};
    const AcquiredOnRank made(AlgorithmId::ordered_messages, Kind::allreduce, facts, rank, 3);
    EXPECT_EQ(made.acquired.algorithm, nullptr);
    EXPECT_THAT(made.acquired.why_not, ::testing::HasSubstr("AIRAMP_HOST_SCRATCH"));
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
