// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "mpitests/real_device/neighbours/case.hpp"

namespace airamp::gpu_tests {

/// An MPI_Allreduce of floats whose every element is known: small whole numbers, so that every order of adding them
/// gives the same sum.
class Sum {
 public:
  /// On the application's own buffers of `count` elements each, anywhere in memory.
  Sum(const Job& job, void* send, void* receive, std::size_t count);

  /// Writes new numbers to the send buffer and rubbish over the result; done on return.
  void fill();

  /// One call. Says what MPI said if that was not MPI_SUCCESS, else nothing.
  std::string reduce(MPI_Comm communicator = MPI_COMM_WORLD) const;

  /// Starts a call. Likewise.
  std::string start(MPI_Request* request) const;

  /// Says what is wrong with the result, or with what was sent; nothing if both are right. Waits for the device.
  std::string check() const;

  /// Fills, calls and checks often enough for AIRamp to have decided about such calls.
  std::string settle(MPI_Comm communicator = MPI_COMM_WORLD);

 private:
  const Job& job_;
  void* send_;
  void* receive_;
  std::size_t count_;
  unsigned round_ = 0;
};

/// What was returned, in words, unless it was MPI_SUCCESS.
std::string text_of(int status);

}  // namespace airamp::gpu_tests
