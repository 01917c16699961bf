// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "pmpi/algorithm/orders/summation_tree.hpp"

namespace airamp::pmpi {

/// An order of additions in which the ranks of each host are added before hosts are.
struct NestedOrder {
  SummationTree within;   ///< the ranks of one host, by their places on it
  SummationTree between;  ///< the hosts
};

/// `tree` as seen from `host`, whose ranks `host_of` says: 0 and up, as many ranks on each. The same sums of the same
/// operands; empty if the tree adds ranks of several hosts before it has added all of each. Throws std::bad_alloc.
std::optional<NestedOrder> nest(const SummationTree& tree, const std::vector<int>& host_of, int host);

}  // namespace airamp::pmpi
