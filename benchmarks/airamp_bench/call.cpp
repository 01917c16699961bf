// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "call.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace airamp::benchmark {

Call::Call(const Options& options, const Element& element, std::size_t bytes, MPI_Comm communicator)
    : collective_(options.collective),
      operation_(options.operation),
      element_(element),
      communicator_(communicator),
      count_(std::max<std::size_t>(1, bytes / element.bytes())) {
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &ranks_);
  int total = 0;
  for (int i = 0; i < ranks_; ++i) {
    // Contributions that differ a little, as those of a decomposed grid do.
    const bool shorter = collective_ == Collective::allgatherv && i % 2 == 1;
    counts_.push_back(static_cast<int>(shorter ? count_ - count_ / 16 : count_));
    displacements_.push_back(total);
    total += counts_.back();
  }
  const bool gathers = collective_ != Collective::allreduce;
  send_.resize(static_cast<std::size_t>(counts_[static_cast<std::size_t>(rank_)]) * element.bytes());
  receive_.resize((gathers ? static_cast<std::size_t>(total) : count_) * element.bytes());
  element.fill(send_.data(), send_.size() / element.bytes(), rank_);
}

void Call::run() {
  const MPI_Datatype type = element_.datatype();
  const auto count = counts_[static_cast<std::size_t>(rank_)];
  switch (collective_) {
    case Collective::allreduce:
      MPI_Allreduce(send_.data(), receive_.data(), count, type, element_.op(), communicator_);
      break;
    case Collective::allgather:
      MPI_Allgather(send_.data(), count, type, receive_.data(), count, type, communicator_);
      break;
    case Collective::allgatherv:
      MPI_Allgatherv(send_.data(), count, type, receive_.data(), counts_.data(), displacements_.data(), type,
                     communicator_);
      break;
  }
}

double Call::exact(std::size_t index) const {
  if (collective_ != Collective::allreduce) {
    const auto next = std::upper_bound(displacements_.begin(), displacements_.end(), static_cast<int>(index));
    const auto owner = static_cast<int>(next - displacements_.begin()) - 1;
    return element_.input(owner, index - static_cast<std::size_t>(displacements_[static_cast<std::size_t>(owner)]));
  }
  double result = element_.input(0, index);
  for (int i = 1; i < ranks_; ++i) {
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

double Call::relative_error() const {
  double difference = 0.0;
  double reference = 0.0;
  for (std::size_t i = 0; i < receive_.size() / element_.bytes(); ++i) {
    const double expected = exact(i);
    const double distance = element_.value(receive_.data(), i) - expected;
    difference += distance * distance;
    reference += expected * expected;
  }
  return reference > 0.0 ? std::sqrt(difference / reference) : std::sqrt(difference);
}

std::uint64_t Call::result_hash() const {
  // FNV-1a over words of eight bytes, then the tail.
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < receive_.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, receive_.data() + i, std::min(sizeof word, receive_.size() - i));
    hash = (hash ^ word) * 0x100000001b3U;
  }
  return hash;
}

void Call::clear_result() { std::fill(receive_.begin(), receive_.end(), static_cast<unsigned char>(0xff)); }

}  // namespace airamp::benchmark
