// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_device/checked_call/call.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_device/checked_call/numbers.hpp"

namespace airamp::device_tests {
namespace {

/// Where each rank's block of a gather lies, or of an exchange what is sent to each rank, or received.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> displacements;
  std::size_t elements = 0;  ///< of the buffer
};

/// What one rank sends to another. In place the other one sends as much.
int exchanged(const Call& call, int from, int to) {
  const int count = static_cast<int>(call.count);
  if (call.kind == Kind::alltoall) return count;
  if (call.in_place) return count + (from + to) % 3;
  return (2 * from + to + call.round) % 4 == 1 ? 0 : count + 3 * from + to;
}

/// One after the other, from the last one on where they may have any length.
template <class Count>
Blocks exchanged_blocks(const Call& call, int ranks, const Count& count) {
  Blocks blocks;
  blocks.counts.resize(static_cast<std::size_t>(ranks));
  blocks.displacements.resize(static_cast<std::size_t>(ranks));
  const bool uneven = call.kind != Kind::alltoall;
  int next = 0;
  for (int i = 0; i < ranks; ++i) {
    const int rank = uneven ? ranks - 1 - i : i;
    const auto place = static_cast<std::size_t>(rank);
    blocks.counts[place] = count(rank);
    blocks.displacements[place] = next;
    next += blocks.counts[place] + (uneven ? 3 : 0);
  }
  blocks.elements = static_cast<std::size_t>(next);
  return blocks;
}

Blocks sent_blocks(const Call& call, int rank, int ranks) {
  if (!call.exchanges()) return {};
  return exchanged_blocks(call, ranks, [&](int to) { return exchanged(call, rank, to); });
}

Blocks received_blocks(const Call& call, int rank, int ranks) {
  if (call.exchanges()) return exchanged_blocks(call, ranks, [&](int from) { return exchanged(call, from, rank); });
  Blocks blocks;
  blocks.counts.assign(static_cast<std::size_t>(ranks), static_cast<int>(call.count));
  blocks.displacements.resize(static_cast<std::size_t>(ranks));
  const bool uneven = call.kind == Kind::allgatherv;
  int next = 0;
  for (int i = 0; i < ranks; ++i) {
    const auto from = static_cast<std::size_t>(uneven ? ranks - 1 - i : i);
    if (uneven) blocks.counts[from] = i % 3 == 1 ? 0 : static_cast<int>(call.count) + 5 * i;
    blocks.displacements[from] = next;
    next += blocks.counts[from] + (uneven ? 3 : 0);
  }
  blocks.elements = static_cast<std::size_t>(next);
  return blocks;
}

/// What each rank gets of a reduce_scatter.
std::vector<int> result_counts(const Call& call, int ranks) {
  std::vector<int> counts;
  for (int rank = 0; call.kind == Kind::reduce_scatter && rank < ranks; ++rank) {
    const int more = call.round % 2 == 0 ? ranks - rank : rank;
    counts.push_back((rank + call.round) % 4 == 1 ? 0 : static_cast<int>(call.count) + more);
  }
  return counts;
}

/// One rank's view of a call on a communicator.
class Execution {
 public:
  Execution(const Call& call, MPI_Comm communicator, const Placement& placement)
      : call_(call),
        numbers_(call),
        communicator_(communicator),
        rank_(rank_in(communicator)),
        ranks_(size_of(communicator)),
        in_place_(call.in_place && (call.kind != Kind::reduce || rank_ == call.root)),
        results_(result_counts(call, ranks_)),
        sent_(sent_blocks(call, rank_, ranks_)),
        blocks_(received_blocks(call, rank_, ranks_)),
        send_(placement.send, send_elements() * call.element->bytes,
              placement.offset * call.element->bytes + placement.send_bytes),
        receive_(placement.receive, receive_elements() * call.element->bytes,
                 placement.offset * call.element->bytes + placement.receive_bytes) {
    fill();
  }

  int call_mpi() {
    const void* from = in_place_ ? MPI_IN_PLACE : send_.data();
    void* to = receive_elements() == 0 && !in_place_ ? insignificant() : receive_.data();
    const auto count = static_cast<int>(call_.count);
    MPI_Datatype type = call_.element->type;
    const int own = blocks_.counts[static_cast<std::size_t>(rank_)];
    switch (call_.kind) {
      case Kind::allreduce:
        return MPI_Allreduce(from, to, count, type, call_.operation->op, communicator_);
      case Kind::reduce_scatter_block:
        return MPI_Reduce_scatter_block(from, to, count, type, call_.operation->op, communicator_);
      case Kind::allgather:
        return MPI_Allgather(from, count, type, to, count, type, communicator_);
      case Kind::allgatherv:
        return MPI_Allgatherv(from, own, type, to, blocks_.counts.data(), blocks_.displacements.data(), type,
                              communicator_);
      case Kind::alltoall:
        return MPI_Alltoall(from, count, type, to, count, type, communicator_);
      case Kind::alltoallv:
        return MPI_Alltoallv(from, sent_.counts.data(), sent_.displacements.data(), type, to, blocks_.counts.data(),
                             blocks_.displacements.data(), type, communicator_);
      case Kind::alltoallw:
        return call_alltoallw(from, to);
      case Kind::reduce:
        return MPI_Reduce(from, to, count, type, call_.operation->op, call_.root, communicator_);
      case Kind::reduce_scatter:
        return MPI_Reduce_scatter(from, to, results_.data(), type, call_.operation->op, communicator_);
      case Kind::scan:
        return MPI_Scan(from, to, count, type, call_.operation->op, communicator_);
      case Kind::exscan:
        return MPI_Exscan(from, to, count, type, call_.operation->op, communicator_);
      case Kind::bcast:
        break;
    }
    return MPI_Bcast(to, count, type, call_.root, communicator_);
  }

  void check() const {
    if (!receive_.guards_intact() || !send_.guards_intact()) require(false, describe(call_) + " wrote beside buffers");
    const std::vector<std::byte> expected = expected_result();
    if (std::equal(expected.begin(), expected.end(), receive_.host())) return;
    const std::size_t bytes = call_.element->bytes;
    for (std::size_t i = 0; i < expected.size() / bytes; ++i) {
      const auto* element = expected.data() + i * bytes;
      if (std::equal(element, element + bytes, receive_.host() + i * bytes)) continue;
      require(false, describe(call_) + ", element " + std::to_string(i));
    }
  }

 private:
  /// Displacements are in bytes.
  int call_alltoallw(const void* from, void* to) const {
    const auto in_bytes = [this](std::vector<int> displacements) {
      for (int& displacement : displacements) displacement *= static_cast<int>(call_.element->bytes);
      return displacements;
    };
    const std::vector<MPI_Datatype> types(static_cast<std::size_t>(ranks_), call_.element->type);
    return MPI_Alltoallw(from, sent_.counts.data(), in_bytes(sent_.displacements).data(), types.data(), to,
                         blocks_.counts.data(), in_bytes(blocks_.displacements).data(), types.data(), communicator_);
  }

  /// What may be anything, as nothing is received.
  void* insignificant() const {
    const bool reduces_to_root = call_.kind == Kind::reduce && call_.round % 2 == 1;
    return reduces_to_root ? reinterpret_cast<void*>(8) : nullptr;
  }

  /// Elements of the vectors that are reduced.
  std::size_t vector_elements() const {
    if (call_.kind == Kind::reduce_scatter_block) return call_.count * static_cast<std::size_t>(ranks_);
    if (call_.kind != Kind::reduce_scatter) return call_.count;
    return static_cast<std::size_t>(std::accumulate(results_.begin(), results_.end(), 0));
  }

  /// Elements of this rank's result.
  std::size_t result_elements() const {
    if (call_.kind == Kind::reduce) return rank_ == call_.root ? call_.count : 0;
    return call_.kind == Kind::reduce_scatter ? static_cast<std::size_t>(results_[static_cast<std::size_t>(rank_)])
                                              : call_.count;
  }

  bool gathers() const { return call_.kind == Kind::allgather || call_.kind == Kind::allgatherv; }

  std::size_t send_elements() const {
    if (in_place_ || call_.kind == Kind::bcast) return 0;
    if (gathers()) return static_cast<std::size_t>(blocks_.counts[static_cast<std::size_t>(rank_)]);
    if (call_.exchanges()) return sent_.elements;
    return vector_elements();
  }

  std::size_t receive_elements() const {
    if (gathers() || call_.exchanges()) return blocks_.elements;
    return in_place_ ? vector_elements() : result_elements();
  }

  void put(std::byte* data, std::size_t elements) const {
    for (std::size_t i = 0; i < elements; ++i) numbers_.store(numbers_.of(rank_, i), data, i);
  }

  void fill() const {
    const auto own = static_cast<std::size_t>(rank_);
    if (call_.kind == Kind::bcast) {
      if (rank_ == call_.root) put(receive_.host(), call_.count);
    } else if (!in_place_) {
      put(send_.host(), send_elements());
    } else if (gathers()) {
      put(receive_.host() + static_cast<std::size_t>(blocks_.displacements[own]) * call_.element->bytes,
          static_cast<std::size_t>(blocks_.counts[own]));
    } else {
      put(receive_.host(), receive_elements());
    }
  }

  /// What the receive buffer begins with.
  std::vector<std::byte> expected_result() const {
    const std::size_t elements = gathers() || call_.exchanges() ? blocks_.elements : result_elements();
    std::vector<std::byte> expected(elements * call_.element->bytes, Buffer::pattern);
    if (call_.exchanges()) {
      put_exchanged(expected);
      return expected;
    }
    if (gathers()) {
      for (int rank = 0; rank < ranks_; ++rank) {
        const auto first = static_cast<std::size_t>(blocks_.displacements[static_cast<std::size_t>(rank)]);
        const auto count = static_cast<std::size_t>(blocks_.counts[static_cast<std::size_t>(rank)]);
        for (std::size_t i = 0; i < count; ++i) numbers_.store(numbers_.of(rank, i), expected.data(), first + i);
      }
      return expected;
    }
    if (call_.kind == Kind::exscan && rank_ == 0) {
      if (in_place_) put(expected.data(), elements);
      return expected;
    }
    const std::size_t first = first_of_result();
    const int sources = call_.kind == Kind::scan ? rank_ + 1 : call_.kind == Kind::exscan ? rank_ : ranks_;
    for (std::size_t i = 0; i < elements; ++i) {
      const std::int64_t value = call_.reduces() ? numbers_.reduced(sources, first + i) : numbers_.of(call_.root, i);
      numbers_.store(value, expected.data(), i);
    }
    return expected;
  }

  /// Where this rank's result begins in the vectors.
  std::size_t first_of_result() const {
    if (call_.kind == Kind::reduce_scatter_block) return static_cast<std::size_t>(rank_) * call_.count;
    if (call_.kind != Kind::reduce_scatter) return 0;
    return static_cast<std::size_t>(std::accumulate(results_.begin(), results_.begin() + rank_, 0));
  }

  /// What each rank has sent to this one; in place, what lies between the blocks has stayed as it was.
  void put_exchanged(std::vector<std::byte>& expected) const {
    if (call_.in_place) put(expected.data(), blocks_.elements);
    for (int from = 0; from < ranks_; ++from) {
      const auto first = static_cast<std::size_t>(blocks_.displacements[static_cast<std::size_t>(from)]);
      const Blocks theirs = sent_blocks(call_, from, ranks_);
      const auto sent_from = static_cast<std::size_t>(theirs.displacements[static_cast<std::size_t>(rank_)]);
      const auto count = static_cast<std::size_t>(theirs.counts[static_cast<std::size_t>(rank_)]);
      for (std::size_t i = 0; i < count; ++i)
        numbers_.store(numbers_.of(from, sent_from + i), expected.data(), first + i);
    }
  }

  const Call& call_;
  Numbers numbers_;
  MPI_Comm communicator_;
  int rank_;
  int ranks_;
  bool in_place_;             ///< here
  std::vector<int> results_;  ///< of a reduce_scatter
  Blocks sent_;               ///< of exchanges
  Blocks blocks_;             ///< received
  Buffer send_;
  Buffer receive_;
};

}  // namespace

int run_exactly(const Call& call, MPI_Comm communicator, const Placement& placement) {
  Execution execution(call, communicator, placement);
  const int error = execution.call_mpi();
  if (error == MPI_SUCCESS) execution.check();
  return error;
}

void run(const Call& call, MPI_Comm communicator, const Placement& placement) {
  const int error = run_exactly(call, communicator, placement);
  if (error != MPI_SUCCESS) require(false, describe(call) + " returned " + std::to_string(error));
}

Call sum_of(const Vocabulary& vocabulary, Format format, std::size_t count, int round) {
  return call_of(vocabulary, Kind::allreduce, format, count, round);
}

Call call_of(const Vocabulary& vocabulary, Kind kind, Format format, std::size_t count, int round) {
  for (const Element& element : vocabulary.elements()) {
    if (element.format != format) continue;
    const std::vector<const Operation*> operations = vocabulary.operations(element);
    return {.kind = kind,
            .element = &element,
            .operation = operations.empty() ? nullptr : operations.front(),
            .count = count,
            .round = round};
  }
  require(false, "an element of this format");
  return {};
}

std::string describe(const Call& call) {
  constexpr const char* names[] = {"allreduce", "allgather", "allgatherv", "reduce_scatter_block", "bcast", "alltoall",
                                   "alltoallv", "alltoallw", "reduce",     "reduce_scatter",       "scan",  "exscan"};
  std::string text =
      std::string(names[static_cast<int>(call.kind)]) + " of " + std::to_string(call.count) + " " + call.element->name;
  if (call.reduces()) text += " by " + call.operation->name;
  if (call.in_place) text += " in place";
  return text + ", round " + std::to_string(call.round);
}

}  // namespace airamp::device_tests
