// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "mpitests/fake_device/checked_call/buffer.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {

/// Where a start's buffers lie, and how far behind an aligned address.
struct Where {
  Place send = Place::device;
  Place receive = Place::device;
  std::size_t offset = 0;
};

/// A sum of whole numbers, which is exact, of integers or of floating-point numbers. Under way from `start` on.
class Sum {
 public:
  Sum(bool fractions, std::size_t count, bool in_place, MPI_Comm communicator, const Where& where = {})
      : fractions_(fractions),
        count_(count),
        communicator_(communicator),
        ranks_(size_of(communicator)),
        rank_(rank_in(communicator)),
        receive_(where.receive, bytes(), where.offset) {
    if (!in_place) send_.emplace(where.send, bytes(), where.offset);
  }
  Sum(const Sum&) = delete;
  Sum& operator=(const Sum&) = delete;

  MPI_Request request = MPI_REQUEST_NULL;

  void start(int round) {
    round_ = round;
    std::memset(receive_.host(), static_cast<int>(Buffer::pattern), bytes());
    std::byte* const given = send_ ? send_->host() : receive_.host();
    for (std::size_t i = 0; i < count_; ++i) put(given, i, number(rank_, i));
    MPI_Iallreduce(send_ ? send_->data() : MPI_IN_PLACE, receive_.data(), static_cast<int>(count_), type(), MPI_SUM,
                   communicator_, &request);
  }

  /// After its request was completed.
  void check() const {
    require(request == MPI_REQUEST_NULL, "a request that is complete is gone");
    for (std::size_t i = 0; i < count_; ++i) {
      std::int64_t expected = 0;
      for (int other = 0; other < ranks_; ++other) expected += number(other, i);
      require(is(i, expected), "a sum of all contributions to this call");
    }
    require(receive_.guards_intact() && (!send_ || send_->guards_intact()), "nothing beside the buffers is written");
  }

  bool is_nan(std::size_t i) const {
    double value = 0;
    std::memcpy(&value, receive_.host() + i * sizeof value, sizeof value);
    return std::isnan(value);
  }

 private:
  static constexpr std::size_t number_bytes = 8;

  std::size_t bytes() const { return count_ * number_bytes; }
  MPI_Datatype type() const { return fractions_ ? MPI_DOUBLE : MPI_INT64_T; }
  std::int64_t number(int rank, std::size_t i) const {
    return 1000003 * static_cast<std::int64_t>(rank + 1) + 101 * round_ + static_cast<std::int64_t>(i);
  }
  void put(std::byte* to, std::size_t i, std::int64_t number) const {
    const auto fraction = static_cast<double>(number);
    std::memcpy(to + i * number_bytes,
                fractions_ ? static_cast<const void*>(&fraction) : static_cast<const void*>(&number), number_bytes);
  }
  bool is(std::size_t i, std::int64_t number) const {
    std::byte expected[number_bytes];
    put(expected, 0, number);
    return std::memcmp(receive_.host() + i * number_bytes, expected, number_bytes) == 0;
  }

  bool fractions_;
  std::size_t count_;
  MPI_Comm communicator_;
  int ranks_;
  int rank_;
  int round_ = 0;
  std::optional<Buffer> send_;
  Buffer receive_;
};

}  // namespace airamp::device_tests
