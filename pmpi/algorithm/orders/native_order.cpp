// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/native_order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pmpi/call/promised_order.hpp"
#include "pmpi/call/started/started_call.hpp"
#include "pmpi/device/measuring_scratch.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

struct Pair {
  int first;
  int second;
};

std::vector<Pair> all_pairs(int ranks) {
  std::vector<Pair> pairs;
  for (int first = 0; first < ranks; ++first) {
    for (int second = first + 1; second < ranks; ++second) pairs.push_back({first, second});
  }
  return pairs;
}

/// An addition of a tree, as a rank of either operand and how many ranks the sum is of. No other tree has the same of
/// all of them: if two operands are sums of the tree asked about, the smallest of its sums that has a rank of each has
/// all ranks of both, and if it has no more, it is theirs. The largest come first: another tree has least of them.
struct AskedSum {
  Pair pair;
  int ranks;
};

std::vector<AskedSum> sums_of(const SummationTree& tree) {
  std::vector<AskedSum> sums;
  for (const SummationTree::Addition& addition : tree.additions()) {
    const auto operand = [&](int which) {
      return which < tree.ranks() ? AskedSum{{which, which}, 1} : sums[static_cast<std::size_t>(which - tree.ranks())];
    };
    const AskedSum left = operand(addition.left);
    const AskedSum right = operand(addition.right);
    sums.push_back({{left.pair.first, right.pair.first}, left.ranks + right.ranks});
  }
  std::stable_sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.ranks > b.ranks; });
  return sums;
}

std::vector<Pair> pairs_of(const std::vector<AskedSum>& sums) {
  std::vector<Pair> pairs;
  for (const AskedSum& sum : sums) pairs.push_back(sum.pair);
  return pairs;
}

/// Every pair is asked of at so many places of a vector, or at all of them: an order that changes along the vector, as
/// that of a ring does from one rank's part to the next, shows.
std::size_t places_for_each_pair(int ranks, std::size_t elements) {
  return std::min(elements, 2 * static_cast<std::size_t>(ranks));
}

/// Numbers of a vector that are added each by itself.
std::size_t numbers_in(const AskedReduction& asked) { return asked.elements * parts_of(asked.type); }

/// Vectors of so many that a rank gives.
std::size_t blocks_of(const AskedReduction& asked) {
  return scatters(asked.kind) ? static_cast<std::size_t>(asked.ranks) : 1;
}

/// Enough that every pair is asked of at all of its places.
std::size_t rounds_for(std::size_t pairs, int ranks, std::size_t elements) {
  return std::max<std::size_t>(1, (pairs * places_for_each_pair(ranks, elements) + elements - 1) / elements);
}

/// Asks how many ranks the smallest sum has that has both of a pair, of many pairs.
template <class Real>
class Questions {
 public:
  Questions(const AskedReduction& asked, std::vector<Pair> pairs)
      : rank_(asked.rank),
        ranks_(asked.ranks),
        operands_(asked.operands),
        elements_(numbers_in(asked)),
        counts_(asked.kind == Kind::reduce_scatter ? blocks_of(asked) : 0, static_cast<int>(asked.elements)),
        pairs_(std::move(pairs)),
        joint_(pairs_.size(), 0) {}

  std::size_t rounds() const { return rounds_for(pairs_.size(), ranks_, elements_); }

  void ask(std::size_t round, Real* question) const {
    for (std::size_t i = 0; i < elements_; ++i) {
      const Pair& pair = pairs_[pair_at(i, round)];
      question[i] = pair.first == rank_ ? large : pair.second == rank_ ? -large : Real{1};
    }
  }

  void hear(std::size_t round, const Real* answer) {
    for (std::size_t i = 0; i < elements_; ++i) {
      const std::size_t at = pair_at(i, round);
      const Pair& pair = pairs_[at];
      if (std::max(pair.first, pair.second) >= operands_) continue;
      const Real after = answer[i];
      const bool possible = after >= 0 && after <= static_cast<Real>(operands_ - 2);
      const int joint = possible ? operands_ - static_cast<int>(after) : irregular;
      int& known = joint_[at];
      if (known == 0) known = joint;
      if (known != joint) known = irregular;
    }
  }

  /// What one rank has heard, to all.
  int tell(int root, MPI_Comm comm) {
    return native().MPI_Bcast(joint_.data(), static_cast<int>(joint_.size()), MPI_INT, root, comm);
  }

  /// Of the blocks of an MPI_Reduce_scatter.
  const std::vector<int>& counts() const { return counts_; }
  const std::vector<Pair>& pairs() const { return pairs_; }
  /// By pair; below 1 if it is not the same everywhere, 0 of pairs that are not both among this rank's operands.
  const std::vector<int>& joint() const { return joint_; }

 private:
  static constexpr Real large = static_cast<Real>(0x1p80);  // beside it 1 does not count
  static constexpr int irregular = -1;

  std::size_t pair_at(std::size_t element, std::size_t round) const {
    const std::size_t step = elements_ % pairs_.size() == 0 ? elements_ + 1 : elements_;
    return (element + round * step) % pairs_.size();
  }

  int rank_;
  int ranks_;
  int operands_;
  std::size_t elements_;
  std::vector<int> counts_;
  std::vector<Pair> pairs_;
  std::vector<int> joint_;  ///< 0: not asked yet
};

/// Who has no operands needs no order.
template <class Real>
std::optional<SummationTree> tree_of(const Questions<Real>& questions, int operands) {
  if (operands < 2) return SummationTree::chain(1);
  std::vector<int> joint(static_cast<std::size_t>(operands) * static_cast<std::size_t>(operands), 0);
  for (std::size_t i = 0; i < questions.pairs().size(); ++i) {
    const auto [first, second] = questions.pairs()[i];
    if (second >= operands) continue;
    if (questions.joint()[i] < 1) return std::nullopt;
    joint[static_cast<std::size_t>(first * operands + second)] = questions.joint()[i];
    joint[static_cast<std::size_t>(second * operands + first)] = questions.joint()[i];
  }
  return SummationTree::from_joint_sizes(operands, joint);
}

bool of_float(const AskedReduction& asked) { return part_of(asked.type) == DataType::float32; }

MPI_Datatype library_type(DataType type) {
  switch (type) {
    case DataType::float32:
      return MPI_FLOAT;
    case DataType::complex64:
      return MPI_C_FLOAT_COMPLEX;
    case DataType::complex128:
      return MPI_C_DOUBLE_COMPLEX;
    default:
      return MPI_DOUBLE;
  }
}

/// By the MPI library. `counts`: of the blocks of an MPI_Reduce_scatter.
int reduce(const AskedReduction& asked, const std::vector<int>& counts, const void* question, void* answer) {
  const int count = static_cast<int>(asked.elements);
  const MPI_Datatype type = library_type(asked.type);
  if (asked.kind == Kind::reduce) {
    return native().MPI_Reduce(question, answer, count, type, MPI_SUM, asked.root, asked.comm);
  }
  if (asked.kind == Kind::reduce_scatter_block) {
    return native().MPI_Reduce_scatter_block(question, answer, count, type, MPI_SUM, asked.comm);
  }
  if (asked.kind == Kind::reduce_scatter) {
    return native().MPI_Reduce_scatter(question, answer, counts.data(), type, MPI_SUM, asked.comm);
  }
  if (asked.kind == Kind::scan) return native().MPI_Scan(question, answer, count, type, MPI_SUM, asked.comm);
  if (asked.kind == Kind::exscan) return native().MPI_Exscan(question, answer, count, type, MPI_SUM, asked.comm);
  if (is_started(asked.kind)) return reduce_started(asked.kind, question, answer, count, type, MPI_SUM, asked.comm);
  return native().MPI_Allreduce(question, answer, count, type, MPI_SUM, asked.comm);
}

/// For a question and its answer. Of a few numbers no memory is mapped, which takes longer than an answer.
class QuestionMemory {
 public:
  explicit QuestionMemory(std::size_t bytes) {
    if (bytes > few_.size()) many_.emplace(bytes);
  }
  QuestionMemory(const QuestionMemory&) = delete;
  QuestionMemory& operator=(const QuestionMemory&) = delete;

  /// nullptr if there is none to be had.
  std::byte* data() { return many_ ? many_->data() : few_.data(); }

 private:
  alignas(std::max_align_t) std::array<std::byte, 1024> few_{};
  std::optional<MeasuringScratch> many_;
};

/// Has the MPI library answer the first `rounds` of them. Collective. Returns an MPI error code.
template <class Real>
int put(const AskedReduction& asked, QuestionMemory& memory, Questions<Real>& questions, std::size_t rounds) {
  auto* const question = reinterpret_cast<Real*>(memory.data());
  const std::size_t blocks = blocks_of(asked);
  const std::size_t numbers = numbers_in(asked);
  Real* const answer = question + blocks * numbers;
  const bool hears = asked.kind != Kind::reduce || asked.rank == asked.root;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t block = 0; block < blocks; ++block) questions.ask(round, question + block * numbers);
    if (const int error = reduce(asked, questions.counts(), question, answer); error != MPI_SUCCESS) return error;
    if (hears) questions.hear(round, answer);
  }
  return asked.kind == Kind::reduce ? questions.tell(asked.root, asked.comm) : MPI_SUCCESS;
}

/// Whether `make` had the memory that it wants, on all ranks.
template <class Make>
Result<bool> prepare(const AskedReduction& asked, QuestionMemory& memory, const Make& make) {
  bool made = memory.data() != nullptr;
  try {
    if (made) make();
  } catch (const std::bad_alloc&) {  // the others hear of it
    made = false;
  }
  return agree_on_success(asked.comm, made);
}

template <class Real>
Result<bool> confirm(const AskedReduction& asked, const SummationTree& tree, std::size_t most_reductions) {
  QuestionMemory memory((blocks_of(asked) + 1) * numbers_in(asked) * sizeof(Real));
  std::vector<AskedSum> sums;
  std::optional<Questions<Real>> questions;
  const Result<bool> ready = prepare(asked, memory, [&] {
    sums = sums_of(tree);
    questions.emplace(asked, pairs_of(sums));
  });
  if (!ready.ok() || !*ready) return ready;
  const std::size_t rounds = std::min(questions->rounds(), most_reductions);
  if (const int error = put(asked, memory, *questions, rounds); error != MPI_SUCCESS) return MpiError{error};
  bool confirmed = true;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const int heard = questions->joint()[i];
    confirmed = confirmed && (heard == 0 || heard == sums[i].ranks);
  }
  return agree_on_success(asked.comm, confirmed);
}

template <class Real>
int reveal(const AskedReduction& asked, std::optional<SummationTree>& tree) {
  QuestionMemory memory((blocks_of(asked) + 1) * numbers_in(asked) * sizeof(Real));
  std::optional<Questions<Real>> questions;
  const Result<bool> ready = prepare(asked, memory, [&] { questions.emplace(asked, all_pairs(asked.ranks)); });
  if (!ready.ok() || !*ready) return ready.error();
  const int error = put(asked, memory, *questions, questions->rounds());
  if (error == MPI_SUCCESS) tree = tree_of(*questions, asked.operands);
  return error;
}

}  // namespace

bool would_ask_in_vain(DataType type, ReduceOp op) {
  if (job().settings.reduction_order != ReductionOrder::native || !depends_on_order(type, op)) return false;
  constexpr std::string_view name = "MPICH Version:";
  const std::string& library = job().library_version;
  const std::size_t at = library.find(name);
  return at != std::string::npos && std::strtol(library.c_str() + at + name.size(), nullptr, 10) >= 5;
}

int reveal_order(const AskedReduction& asked, std::optional<SummationTree>& tree) {
  tree.reset();
  return of_float(asked) ? reveal<float>(asked, tree) : reveal<double>(asked, tree);
}

Result<bool> confirm_order(const AskedReduction& asked, const SummationTree& tree, std::size_t most_reductions) {
  return of_float(asked) ? confirm<float>(asked, tree, most_reductions) : confirm<double>(asked, tree, most_reductions);
}

std::size_t reductions_to_confirm(int ranks, DataType type, std::size_t elements) {
  return rounds_for(static_cast<std::size_t>(ranks) - 1, ranks, elements * parts_of(type));
}

std::size_t reductions_to_reveal(int ranks, DataType type, std::size_t elements) {
  const auto all = static_cast<std::size_t>(ranks);
  return rounds_for(all * (all - 1) / 2, ranks, elements * parts_of(type));
}

}  // namespace airamp::pmpi
