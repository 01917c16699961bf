// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// The code of an MPI error, where a Result is returned.
struct MpiError {
  int code;
};

/// What a function gives that can fail as MPI does: its value, or the code of the error.
template <class T>
class [[nodiscard]] Result {
  struct Nothing {};

 public:
  Result(T value) : value_(std::move(value)) {}   // NOLINT(google-explicit-constructor): `return value;`
  Result(MpiError error) : error_(error.code) {}  // NOLINT(google-explicit-constructor): `return MpiError{code};`
  /// An error code is no bool.
  Result(std::conditional_t<std::is_same_v<T, bool>, int, Nothing>) = delete;  // NOLINT(google-explicit-constructor)

  bool ok() const { return error_ == MPI_SUCCESS; }
  /// MPI_SUCCESS where it is ok.
  int error() const { return error_; }

  /// Only where it is ok.
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  int error_ = MPI_SUCCESS;
  std::optional<T> value_;
};

}  // namespace airamp::pmpi
