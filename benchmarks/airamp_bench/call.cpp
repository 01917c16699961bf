// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "call.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "benchmarks/airamp_bench/values/bits.hpp"

namespace airamp::benchmark {
namespace {

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

std::vector<int> counts_of(Collective collective, std::size_t count, MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  std::vector<int> counts;
  for (int i = 0; i < ranks; ++i) {
    // Blocks that differ a little, as those of a decomposed grid do.
    const bool differs = collective == Collective::allgatherv || collective == Collective::reduce_scatter;
    const bool shorter = differs && i % 2 == 1;
    counts.push_back(static_cast<int>(shorter ? count - count / 16 : count));
  }
  return counts;
}

std::vector<std::size_t> offsets_of(const std::vector<int>& counts) {
  std::vector<std::size_t> offsets{0};
  for (std::size_t i = 1; i < counts.size(); ++i)
    offsets.push_back(offsets.back() + static_cast<std::size_t>(counts[i - 1]));
  return offsets;
}

/// What MPI_Allgatherv takes; others take none.
std::vector<int> displacements_of(Collective collective, const std::vector<std::size_t>& offsets) {
  if (collective != Collective::allgatherv) return {};
  if (offsets.back() > std::numeric_limits<int>::max())
    throw std::runtime_error("MPI_Allgatherv: the displacements of these counts do not fit an int");
  return {offsets.begin(), offsets.end()};
}

bool gathers(Collective collective) {
  return collective == Collective::allgather || collective == Collective::allgatherv;
}

bool scatters_sums(Collective collective) {
  return collective == Collective::reduce_scatter_block || collective == Collective::reduce_scatter;
}

/// Whether a rank's contribution has a block for every rank.
bool sends_blocks(Collective collective) {
  return scatters_sums(collective) || collective == Collective::alltoall || collective == Collective::scatter;
}

/// Whether its result has a block from every rank, or takes as much room in place.
bool receives_blocks(Collective collective, bool in_place) {
  return gathers(collective) || collective == Collective::alltoall || collective == Collective::gather ||
         (in_place && scatters_sums(collective));
}

/// Whether a rank has a result: of some collectives rank 0 alone.
bool has_result(Collective collective, int rank) {
  if (collective == Collective::barrier) return false;
  return rank == 0 || (collective != Collective::reduce && collective != Collective::gather);
}

}  // namespace

Call::Call(const Options& options, const Element& element, Memory& memory, std::size_t bytes, MPI_Comm communicator)
    : collective_(options.collective),
      operation_(options.operation),
      type_(options.type),
      in_place_(options.in_place || options.collective == Collective::bcast),
      element_(element),
      memory_(memory),
      communicator_(communicator),
      rank_(rank_in(communicator)),
      count_(std::max<std::size_t>(1, bytes / element.bytes())),
      counts_(counts_of(collective_, count_, communicator)),
      offsets_(offsets_of(counts_)),
      displacements_(displacements_of(collective_, offsets_)),
      total_(offsets_.back() + static_cast<std::size_t>(counts_.back())),
      send_(memory,
            (sends_blocks(collective_) ? total_ : static_cast<std::size_t>(counts_[static_cast<std::size_t>(rank_)])) *
                element.bytes(),
            options.unaligned * element.bytes()),
      receive_(memory, (receives_blocks(collective_, in_place_) ? total_ : count_) * element.bytes(),
               options.unaligned * element.bytes()),
      result_(receive_.data()),
      result_count_(!has_result(collective_, rank_)                    ? 0
                    : receives_blocks(collective_, /*in_place=*/false) ? total_
                    : collective_ == Collective::reduce_scatter
                        ? static_cast<std::size_t>(counts_[static_cast<std::size_t>(rank_)])
                        : count_),
      sample_(sampled_runs(result_count_)) {
  MPI_Comm_size(communicator_, &ranks_);
  fill_input();
}

void Call::fill_input() {
  std::vector<std::byte> pattern(std::min(send_.size(), Element::period * element_.bytes()));
  element_.fill(pattern.data(), 0, pattern.size() / element_.bytes(), rank_);
  for (std::size_t i = 0; i < send_.size(); i += pattern.size()) {
    memory_.copy(send_.data() + i, pattern.data(), std::min(pattern.size(), send_.size() - i));
  }
}

std::byte* Call::own_block() const {
  return receive_.data() + offsets_[static_cast<std::size_t>(rank_)] * element_.bytes();
}

void Call::prepare() {
  if (!in_place_ || (collective_ == Collective::bcast && rank_ != 0)) return;
  memory_.copy(gathers(collective_) ? own_block() : receive_.data(), send_.data(), send_.size());
}

void Call::run() {
  const MPI_Datatype type = element_.datatype();
  const auto count = counts_[static_cast<std::size_t>(rank_)];
  const void* send = in_place_ ? MPI_IN_PLACE : send_.data();
  result_ = receive_.data();
  switch (collective_) {
    case Collective::allreduce:
      MPI_Allreduce(send, receive_.data(), count, type, element_.op(), communicator_);
      break;
    case Collective::allgather:
      MPI_Allgather(send, count, type, receive_.data(), count, type, communicator_);
      break;
    case Collective::allgatherv:
      MPI_Allgatherv(send, count, type, receive_.data(), counts_.data(), displacements_.data(), type, communicator_);
      break;
    case Collective::reduce_scatter_block:
      MPI_Reduce_scatter_block(send, receive_.data(), count, type, element_.op(), communicator_);
      break;
    case Collective::reduce_scatter:
      MPI_Reduce_scatter(send, receive_.data(), counts_.data(), type, element_.op(), communicator_);
      break;
    case Collective::scan:
      MPI_Scan(send, receive_.data(), count, type, element_.op(), communicator_);
      break;
    case Collective::bcast:
      MPI_Bcast(receive_.data(), count, type, 0, communicator_);
      break;
    case Collective::reduce:
      if (rank_ != 0) send = send_.data();
      MPI_Reduce(send, receive_.data(), count, type, element_.op(), 0, communicator_);
      break;
    case Collective::gather:
      if (rank_ != 0) send = send_.data();
      MPI_Gather(send, count, type, receive_.data(), count, type, 0, communicator_);
      break;
    case Collective::scatter:
      MPI_Scatter(send, count, type, receive_.data(), count, type, 0, communicator_);
      break;
    case Collective::alltoall:
      MPI_Alltoall(send, count, type, receive_.data(), count, type, communicator_);
      break;
    case Collective::barrier:
      MPI_Barrier(communicator_);
      break;
  }
}

void Call::run(Nccl& nccl) {
  const std::byte* send = send_.data();
  if (in_place_) send = gathers(collective_) ? own_block() : receive_.data();
  // In place, NCCL leaves a rank's block where it was, where MPI moves it to the front.
  const bool moved = in_place_ && scatters_sums(collective_);
  result_ = moved ? own_block() : receive_.data();
  nccl.run({collective_, type_, operation_, send, result_, count_, counts_});
}

bool Call::open_windows(Nccl& nccl) {
  send_window_ = nccl.open_window(send_.size());
  receive_window_ = nccl.open_window(receive_.size());
  if (!send_window_ || !receive_window_) return false;
  memory_.copy(send_window_->data(), send_.data(), send_.size());
  return true;
}

void Call::run_symmetric(Nccl& nccl) {
  result_ = receive_window_->data();
  nccl.run({collective_, type_, operation_, send_window_->data(), result_, count_, counts_});
}

double Call::exact(std::size_t index) const {
  if (collective_ == Collective::bcast) return element_.input(0, index);
  if (collective_ == Collective::scatter) {
    return element_.input(0, static_cast<std::size_t>(rank_) * count_ + index);
  }
  if (collective_ == Collective::gather) return element_.input(static_cast<int>(index / count_), index % count_);
  if (collective_ == Collective::alltoall) {
    return element_.input(static_cast<int>(index / count_), static_cast<std::size_t>(rank_) * count_ + index % count_);
  }
  if (gathers(collective_)) {
    const auto owner = std::upper_bound(offsets_.begin(), offsets_.end(), index) - offsets_.begin() - 1;
    return element_.input(static_cast<int>(owner), index - offsets_[static_cast<std::size_t>(owner)]);
  }
  if (scatters_sums(collective_)) index += offsets_[static_cast<std::size_t>(rank_)];
  const int sources = collective_ == Collective::scan ? rank_ + 1 : ranks_;
  double result = element_.input(0, index);
  for (int i = 1; i < sources; ++i) {
    const double other = element_.input(i, index);
    switch (operation_) {
      case Operation::sum:
        result += other;
        break;
      case Operation::max:
        result = std::max(result, other);
        break;
      case Operation::min:
        result = std::min(result, other);
        break;
    }
  }
  return result;
}

// Compares the sampled ones of elements begin ... begin + count - 1, which lie at `chunk`.
void Call::compare(const std::byte* chunk, std::size_t begin, std::size_t count) {
  for (; next_run_ < sample_.size(); ++next_run_) {
    const Run& run = sample_[next_run_];
    const std::size_t last = std::min(run.begin + run.count, begin + count);
    for (std::size_t i = std::max(run.begin, begin); i < last; ++i) {
      const double expected = expected_[next_value_++];
      const double distance = element_.value(chunk, i - begin) - expected;
      difference_ += distance * distance;
      reference_ += expected * expected;
    }
    if (run.begin + run.count > begin + count) return;
  }
}

Quality Call::quality() {
  if (expected_.empty()) {
    for (const Run& run : sample_) {
      for (std::size_t i = run.begin; i < run.begin + run.count; ++i) expected_.push_back(exact(i));
    }
  }
  next_run_ = 0;
  next_value_ = 0;
  difference_ = 0.0;
  reference_ = 0.0;
  BitHash hash;
  const std::size_t bytes = result_count_ * element_.bytes();
  const std::byte* readable = memory_.readable(result_);
  const std::span<std::byte> staging = readable != nullptr ? std::span<std::byte>() : memory_.staging();
  const std::size_t step = readable != nullptr ? bytes : staging.size();
  for (std::size_t i = 0; i < bytes; i += step) {
    const std::size_t size = std::min(step, bytes - i);
    if (readable == nullptr) memory_.copy(staging.data(), result_ + i, size);
    const std::byte* chunk = readable != nullptr ? readable : staging.data();
    hash.add(chunk, size);
    compare(chunk, i / element_.bytes(), size / element_.bytes());
  }
  const double error = reference_ > 0.0 ? std::sqrt(difference_ / reference_) : std::sqrt(difference_);
  return {std::isfinite(error) ? error : std::numeric_limits<double>::infinity(), hash.value()};
}

void Call::clear_result() {
  memory_.fill(receive_.data(), 0xff, receive_.size());
  if (receive_window_) memory_.fill(receive_window_->data(), 0xff, receive_.size());
}

}  // namespace airamp::benchmark
