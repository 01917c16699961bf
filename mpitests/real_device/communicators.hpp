// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mpitests/real_device/call.hpp"

namespace airamp::gpu_tests {

/// MPI_COMM_WORLD and a few communicators derived from it that come and go. Collective over MPI_COMM_WORLD, with
/// generators in step. To be destroyed before MPI_Finalize.
class Communicators {
 public:
  /// Communicators of fewer ranks than `smallest` are made, but not picked.
  explicit Communicators(std::size_t smallest);
  ~Communicators();
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  /// Makes a communicator or frees one.
  void change(Random& random);

  /// One of which this rank is a member, or nullptr; of a split the ranks get different parts.
  const Communicator* pick(Random& random) const;

 private:
  void add(const char* name, MPI_Comm handle);

  std::size_t smallest_;
  std::vector<Communicator> alive_;
};

}  // namespace airamp::gpu_tests
