// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/native_order.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "pmpi/device/measuring_scratch.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

struct Pair {
  int first;
  int second;
};

std::vector<Pair> pairs_of(int ranks) {
  std::vector<Pair> pairs;
  for (int first = 0; first < ranks; ++first) {
    for (int second = first + 1; second < ranks; ++second) pairs.push_back({first, second});
  }
  return pairs;
}

/// Every pair is asked of at so many places of a vector, or at all of them: an order that changes along the vector, as
/// that of a ring does from one rank's part to the next, shows.
std::size_t places_for_each_pair(int ranks, std::size_t elements) {
  return std::min(elements, 2 * static_cast<std::size_t>(ranks));
}

template <class Real>
class Revelation {
 public:
  Revelation(int rank, int ranks, std::size_t elements)
      : rank_(rank),
        ranks_(ranks),
        elements_(elements),
        pairs_(pairs_of(ranks)),
        joint_(static_cast<std::size_t>(ranks * ranks), 0) {}

  std::size_t rounds() const {
    return std::max<std::size_t>(1,
                                 (pairs_.size() * places_for_each_pair(ranks_, elements_) + elements_ - 1) / elements_);
  }

  void ask(std::size_t round, Real* question) const {
    for (std::size_t i = 0; i < elements_; ++i) {
      const Pair& pair = pair_at(i, round);
      question[i] = pair.first == rank_ ? large : pair.second == rank_ ? -large : Real{1};
    }
  }

  void hear(std::size_t round, const Real* answer) {
    for (std::size_t i = 0; i < elements_; ++i) {
      const Pair& pair = pair_at(i, round);
      const Real after = answer[i];
      const bool possible = after >= 0 && after <= static_cast<Real>(ranks_ - 2);
      const int joint = possible ? ranks_ - static_cast<int>(after) : -1;
      for (const std::size_t place : {place_of(pair.first, pair.second), place_of(pair.second, pair.first)}) {
        if (joint_[place] == 0) joint_[place] = joint;
        regular_ = regular_ && joint > 0 && joint_[place] == joint;
      }
    }
  }

  /// What one rank has heard, to all.
  int tell(int root, MPI_Comm comm) {
    joint_.front() = regular_ ? 0 : -1;  // of a rank with itself
    const int error = native().MPI_Bcast(joint_.data(), static_cast<int>(joint_.size()), MPI_INT, root, comm);
    regular_ = joint_.front() == 0;
    return error;
  }

  std::optional<SummationTree> tree() const {
    return regular_ ? SummationTree::from_joint_sizes(ranks_, joint_) : std::nullopt;
  }

 private:
  static constexpr Real large = static_cast<Real>(0x1p80);  // beside it 1 does not count

  const Pair& pair_at(std::size_t element, std::size_t round) const {
    const std::size_t step = elements_ % pairs_.size() == 0 ? elements_ + 1 : elements_;
    return pairs_[(element + round * step) % pairs_.size()];
  }
  std::size_t place_of(int a, int b) const { return static_cast<std::size_t>(a * ranks_ + b); }

  int rank_;
  int ranks_;
  std::size_t elements_;
  std::vector<Pair> pairs_;
  std::vector<int> joint_;  ///< 0: not asked yet
  bool regular_ = true;
};

/// By the MPI library.
int reduce(const AskedReduction& asked, MPI_Datatype type, const void* question, void* answer) {
  const int count = static_cast<int>(asked.elements);
  if (asked.kind == Kind::reduce) {
    return native().MPI_Reduce(question, answer, count, type, MPI_SUM, asked.root, asked.comm);
  }
  if (asked.kind == Kind::reduce_scatter_block) {
    return native().MPI_Reduce_scatter_block(question, answer, count, type, MPI_SUM, asked.comm);
  }
  return native().MPI_Allreduce(question, answer, count, type, MPI_SUM, asked.comm);
}

template <class Real>
int reveal(const AskedReduction& asked, MPI_Datatype type, std::optional<SummationTree>& tree) {
  const std::size_t blocks = asked.kind == Kind::reduce_scatter_block ? static_cast<std::size_t>(asked.ranks) : 1;
  const MeasuringScratch memory((blocks + 1) * asked.elements * sizeof(Real));
  std::optional<Revelation<Real>> revelation;
  try {
    if (memory.data() != nullptr) revelation.emplace(asked.rank, asked.ranks, asked.elements);
  } catch (const std::bad_alloc&) {  // the others hear of it
  }
  const Result<bool> all_have_memory = agree_on_success(asked.comm, revelation.has_value());
  if (!all_have_memory.ok() || !*all_have_memory) return all_have_memory.error();
  int error = MPI_SUCCESS;
  auto* const question = reinterpret_cast<Real*>(memory.data());
  Real* const answer = question + blocks * asked.elements;
  const bool hears = asked.kind != Kind::reduce || asked.rank == asked.root;
  for (std::size_t round = 0; round < revelation->rounds(); ++round) {
    for (std::size_t block = 0; block < blocks; ++block) revelation->ask(round, question + block * asked.elements);
    if (error = reduce(asked, type, question, answer); error != MPI_SUCCESS) return error;
    if (hears) revelation->hear(round, answer);
  }
  if (asked.kind == Kind::reduce) error = revelation->tell(asked.root, asked.comm);
  if (error == MPI_SUCCESS) tree = revelation->tree();
  return error;
}

}  // namespace

int reveal_order(const AskedReduction& asked, std::optional<SummationTree>& tree) {
  tree.reset();
  return asked.type == DataType::float32 ? reveal<float>(asked, MPI_FLOAT, tree)
                                         : reveal<double>(asked, MPI_DOUBLE, tree);
}

}  // namespace airamp::pmpi
