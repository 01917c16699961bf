// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/soak/disturbance.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::soak {
namespace {

constexpr int tag = 11;
constexpr std::uint64_t longest_delay_us = 3000;
/// Some MPI libraries send ahead, some do not.
constexpr std::size_t word_counts[] = {1, 500, 40000};

}  // namespace

Disturbance::Disturbance(differential::Random& random, MPI_Comm communicator)
    : communicator_(communicator), rank_(laws::rank_in(communicator)), ranks_(laws::size_of(communicator)) {
  const bool somebody_is_late = random.chance(0.1);
  const auto late = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks_)));
  late_ = somebody_is_late ? late : -1;
  delay_us_ = static_cast<int>(random.below(longest_delay_us));
  const bool messages = random.chance(0.2);
  const std::size_t words = word_counts[random.below(std::size(word_counts))];
  words_ = messages ? words : 0;
}

void Disturbance::before() {
  if (rank_ == late_) std::this_thread::sleep_for(std::chrono::microseconds(delay_us_));
  if (words_ == 0) return;
  sent_.assign(words_, rank_);
  received_.assign(words_, -1);
  requests_.assign(2, MPI_REQUEST_NULL);
  const auto count = static_cast<int>(words_);
  const int from = (rank_ + ranks_ - 1) % ranks_;
  MPI_Irecv(received_.data(), count, MPI_INT, from, tag, communicator_, requests_.data());
  MPI_Isend(sent_.data(), count, MPI_INT, (rank_ + 1) % ranks_, tag, communicator_, &requests_[1]);
}

std::string Disturbance::after() {
  if (words_ == 0) return {};
  MPI_Waitall(2, requests_.data(), MPI_STATUSES_IGNORE);
  const int from = (rank_ + ranks_ - 1) % ranks_;
  const bool right = std::all_of(received_.begin(), received_.end(), [=](int word) { return word == from; });
  return right ? "" : "a message beside it";
}

}  // namespace airamp::soak
