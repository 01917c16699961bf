// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/nested_order.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {
namespace {

/// As many ranks on each of so many hosts, one host after the other.
std::vector<int> in_blocks(int hosts, int on_host) {
  std::vector<int> host_of;
  for (int host = 0; host < hosts; ++host) host_of.insert(host_of.end(), static_cast<std::size_t>(on_host), host);
  return host_of;
}

std::vector<int> in_turns(int hosts, int on_host) {
  std::vector<int> host_of;
  for (int rank = 0; rank < hosts * on_host; ++rank) host_of.push_back(rank % hosts);
  return host_of;
}

double add(const SummationTree& tree, const std::vector<double>& numbers) {
  std::vector<const std::byte*> contributions;
  for (const double& number : numbers) contributions.push_back(reinterpret_cast<const std::byte*>(&number));
  std::vector<std::byte> scratch(scratch_bytes(tree));
  double sum = 0;
  reduce_by_tree(tree, DataType::float64, ReduceOp::sum, contributions.data(), 1, scratch.data(),
                 reinterpret_cast<std::byte*>(&sum));
  return sum;
}

/// Of what the hosts have added.
double add_on_two_levels(const SummationTree& tree, const std::vector<int>& host_of, int hosts,
                         const std::vector<double>& numbers) {
  std::vector<double> sums;
  std::optional<NestedOrder> nested;
  for (int host = 0; host < hosts; ++host) {
    nested = nest(tree, host_of, host);
    if (!nested) return std::numeric_limits<double>::quiet_NaN();
    std::vector<double> own;
    for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
      if (host_of[rank] == host) own.push_back(numbers[rank]);
    }
    sums.push_back(add(nested->within, own));
  }
  return add(nested->between, sums);
}

/// Numbers whose sum depends on the order.
std::vector<double> numbers_for(int ranks) {
  std::mt19937_64 random(static_cast<unsigned>(ranks));
  std::uniform_real_distribution<double> exponent(-30, 30);
  std::vector<double> numbers;
  for (int rank = 0; rank < ranks; ++rank) numbers.push_back(std::exp2(exponent(random)) * (rank % 3 == 1 ? -1 : 1));
  return numbers;
}

TEST(NestedOrder, HasTheBitsOfTheTreeWherePairsAreOfOneHost) {
  for (const auto& [hosts, on_host] : {std::pair{2, 2}, {2, 4}, {4, 2}, {3, 4}, {5, 8}, {7, 2}}) {
    const SummationTree tree = SummationTree::pairs(hosts * on_host);
    const std::vector<double> numbers = numbers_for(hosts * on_host);
    EXPECT_EQ(add_on_two_levels(tree, in_blocks(hosts, on_host), hosts, numbers), add(tree, numbers))
        << hosts << " hosts of " << on_host;
  }
}

/// Ranks that take turns on two hosts, of which a tree adds every second one first.
TEST(NestedOrder, IsFoundWhereverTheRanksOfAHostAre) {
  const std::vector<int> joint = {0, 4, 2, 4, 4, 0, 4, 2, 2, 4, 0, 4, 4, 2, 4, 0};
  const std::optional<SummationTree> tree = SummationTree::from_joint_sizes(4, joint);
  ASSERT_TRUE(tree);
  const std::vector<double> numbers = numbers_for(4);
  EXPECT_EQ(add_on_two_levels(*tree, in_turns(2, 2), 2, numbers), add(*tree, numbers));
  EXPECT_FALSE(nest(*tree, in_blocks(2, 2), 0));
}

TEST(NestedOrder, IsNoneWhereRanksOfTwoHostsMeetTooEarly) {
  EXPECT_FALSE(nest(SummationTree::pairs(6), in_blocks(2, 3), 0));
  EXPECT_FALSE(nest(SummationTree::pairs(6), in_blocks(2, 3), 1));
  EXPECT_FALSE(nest(SummationTree::pairs(8), in_turns(2, 4), 0));
  EXPECT_FALSE(nest(SummationTree::chain(4), in_blocks(2, 2), 0));
}

}  // namespace
}  // namespace airamp::pmpi
