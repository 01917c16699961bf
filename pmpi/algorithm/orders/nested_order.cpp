// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/nested_order.hpp"

#include <algorithm>
#include <cstddef>

namespace airamp::pmpi {
namespace {

/// In how large a sum two members of a group meet first, for SummationTree::from_joint_sizes.
class Meetings {
 public:
  explicit Meetings(int members) : members_(members), joint_(static_cast<std::size_t>(members * members), 0) {}

  void meet(const std::vector<int>& left, const std::vector<int>& right) {
    const auto all = static_cast<int>(left.size() + right.size());
    for (const int a : left) {
      for (const int b : right) joint_[place(a, b)] = joint_[place(b, a)] = all;
    }
  }

  std::optional<SummationTree> tree() const { return SummationTree::from_joint_sizes(members_, joint_); }

 private:
  std::size_t place(int a, int b) const { return static_cast<std::size_t>(a * members_ + b); }

  int members_;
  std::vector<int> joint_;
};

/// What has been added: some ranks of one host, or all of some.
struct Sum {
  int host = 0;            ///< of the ranks; of hosts the first
  int ranks = 0;           ///< of one host; of hosts none
  std::vector<int> hosts;  ///< whose ranks are all there
  std::vector<int> own;    ///< of those on the host that is asked about, their places there
};

void append(std::vector<int>& to, const std::vector<int>& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

std::optional<NestedOrder> nest(const SummationTree& tree, const std::vector<int>& host_of, int host) {
  const int hosts = 1 + *std::max_element(host_of.begin(), host_of.end());
  const int on_host = static_cast<int>(host_of.size()) / hosts;
  Meetings within(on_host);
  Meetings between(hosts);
  std::vector<Sum> sums;
  const auto complete = [&](Sum sum) {
    if (sum.ranks == on_host) {
      sum.ranks = 0;
      sum.hosts = {sum.host};
    }
    return sum;
  };
  int places = 0;
  for (const int at : host_of)
    sums.push_back(complete(
        {.host = at, .ranks = 1, .hosts = {}, .own = at == host ? std::vector{places++} : std::vector<int>{}}));
  for (const SummationTree::Addition& addition : tree.additions()) {
    const Sum& left = sums[static_cast<std::size_t>(addition.left)];
    const Sum& right = sums[static_cast<std::size_t>(addition.right)];
    Sum sum = left;
    if (left.hosts.empty() != right.hosts.empty()) return std::nullopt;
    if (left.hosts.empty()) {
      if (left.host != right.host) return std::nullopt;
      within.meet(left.own, right.own);
      sum.ranks += right.ranks;
      append(sum.own, right.own);
    } else {
      between.meet(left.hosts, right.hosts);
      append(sum.hosts, right.hosts);
    }
    sums.push_back(complete(std::move(sum)));
  }
  std::optional<SummationTree> of_ranks = within.tree();
  std::optional<SummationTree> of_hosts = between.tree();
  if (!of_ranks || !of_hosts) return std::nullopt;
  return NestedOrder{.within = std::move(*of_ranks), .between = std::move(*of_hosts)};
}

}  // namespace airamp::pmpi
