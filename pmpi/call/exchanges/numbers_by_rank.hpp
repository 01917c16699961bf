// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace airamp::pmpi {

/// An argument of one number for each rank, counts or displacements: of type int, or of 64 bits in the large-count
/// forms of functions. A view; nullptr where the argument is not significant.
class NumbersByRank {
 public:
  template <class Integer>
  requires std::is_integral_v<Integer>
  explicit NumbersByRank(const Integer* numbers) : numbers_(numbers), wide_(sizeof(Integer) == sizeof(std::int64_t)) {
    static_assert(sizeof(Integer) == sizeof(int) || sizeof(Integer) == sizeof(std::int64_t));
  }

  bool there() const { return numbers_ != nullptr; }

  /// Whether both are one argument.
  bool are(const NumbersByRank& others) const { return numbers_ == others.numbers_; }

  std::int64_t operator[](int rank) const {
    const auto place = static_cast<std::size_t>(rank);
    if (!wide_) return static_cast<const int*>(numbers_)[place];
    std::int64_t number = 0;  // of a type of the application's, long or long long
    std::memcpy(&number, static_cast<const std::byte*>(numbers_) + place * sizeof number, sizeof number);
    return number;
  }

  /// As the function of that type takes them.
  template <class Integer>
  const Integer* as() const {
    return static_cast<const Integer*>(numbers_);
  }

 private:
  const void* numbers_;
  bool wide_;
};

}  // namespace airamp::pmpi
