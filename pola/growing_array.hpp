// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace airamp::pola {

/// An array that grows, and says so where memory runs out instead of throwing.
template <typename T>
class GrowingArray {
 public:
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }

  /// Makes the array `size` elements long, no fewer than now; new ones are T(). False, and nothing changes, without
  /// memory.
  bool grow(std::size_t size) {
    std::unique_ptr<T[]> grown(new (std::nothrow) T[size]());
    if (grown == nullptr) return false;
    std::copy(elements_.get(), elements_.get() + size_, grown.get());
    elements_ = std::move(grown);
    size_ = size;
    return true;
  }

 private:
  std::unique_ptr<T[]> elements_;
  std::size_t size_ = 0;
};

}  // namespace airamp::pola
