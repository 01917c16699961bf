// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/known_orders.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

/// Of members that no other test has.
OrdersKey new_key(Kind kind = Kind::allreduce) {
  static std::uint64_t members = 0;
  return {.members = ++members, .kind = kind, .type = DataType::float64};
}

const SummationTree chain = SummationTree::chain(5);
const SummationTree pairs = SummationTree::pairs(5);

TEST(KnownOrders, AreThoseOfTheSameReductions) {
  const OrdersKey key = new_key();
  EXPECT_TRUE(known_orders(key).empty());
  remember_order(key, {7, 0}, chain);
  remember_order(key, {9, 0}, std::nullopt);
  const KnownOrders known = known_orders(key);
  ASSERT_EQ(known.size(), 2U);
  EXPECT_TRUE(*known.at({7, 0}) == chain);
  EXPECT_FALSE(known.at({9, 0}).has_value());
  OrdersKey of_others = key;
  of_others.members = 0;
  EXPECT_TRUE(known_orders(of_others).empty());
  OrdersKey of_another_kind = key;
  of_another_kind.kind = Kind::reduce;
  EXPECT_TRUE(known_orders(of_another_kind).empty());
  OrdersKey of_another_type = key;
  of_another_type.type = DataType::float32;
  EXPECT_TRUE(known_orders(of_another_type).empty());
}

TEST(KnownOrders, ChangeWhereTheLibraryDoes) {
  const OrdersKey key = new_key();
  remember_order(key, {7, 0}, chain);
  remember_order(key, {7, 0}, pairs);
  EXPECT_TRUE(*known_orders(key).at({7, 0}) == pairs);
  remember_order(key, {7, 0}, std::nullopt);
  EXPECT_FALSE(known_orders(key).at({7, 0}).has_value());
}

TEST(KnownOrders, AreNotKeptOfUnknownMembers) {
  const OrdersKey key{.members = 0, .kind = Kind::allreduce, .type = DataType::float64};
  remember_order(key, {7, 0}, chain);
  EXPECT_TRUE(known_orders(key).empty());
}

TEST(KnownOrders, DoNotFillTheMemory) {
  const OrdersKey key = new_key();
  for (std::size_t elements = 1; elements <= 1000; ++elements) remember_order(key, {elements, 0}, chain);
  EXPECT_EQ(known_orders(key).size(), 64U);
  remember_order(key, {1, 0}, pairs);
  EXPECT_TRUE(*known_orders(key).at({1, 0}) == pairs);
}

TEST(KnownOrders, HaveADigestOfAllThatTellsThemApart) {
  const KnownOrders one = {{{7, 0}, chain}};
  EXPECT_EQ(digest_of(one), digest_of(KnownOrders{{{7, 0}, SummationTree::chain(5)}}));
  const KnownOrders others[] = {{},
                                {{{7, 0}, pairs}},
                                {{{7, 0}, SummationTree::chain(6)}},
                                {{{7, 0}, std::nullopt}},
                                {{{8, 0}, chain}},
                                {{{7, 1}, chain}},
                                {{{7, 0}, chain}, {{8, 0}, chain}}};
  for (const KnownOrders& other : others) EXPECT_NE(digest_of(one), digest_of(other));
}

TEST(KnownOrders, TheNearestIsThatOfAShorterVectorIfThereIsOne) {
  const KnownOrders known = {
      {{4, 0}, pairs}, {{8, 0}, chain}, {{9, 0}, std::nullopt}, {{9, 1}, pairs}, {{20, 0}, pairs}};
  EXPECT_EQ(nearest_order(known, {10, 0}), &*known.at({8, 0}));
  EXPECT_EQ(nearest_order(known, {8, 0}), &*known.at({8, 0}));
  EXPECT_EQ(nearest_order(known, {7, 0}), &*known.at({4, 0}));
  EXPECT_EQ(nearest_order(known, {3, 0}), &*known.at({4, 0}));
  EXPECT_EQ(nearest_order(known, {100, 1}), &*known.at({9, 1}));
  EXPECT_EQ(nearest_order(known, {100, 2}), nullptr);
  EXPECT_EQ(nearest_order({}, {10, 0}), nullptr);
}

}  // namespace
}  // namespace airamp::pmpi
