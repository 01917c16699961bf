// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "mpitests/pola/logged_call.hpp"

namespace airamp::traced {

/// Nanoseconds of the clock that traces use.
inline std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// A communicator under a name.
struct Place {
  MPI_Comm comm = MPI_COMM_NULL;
  std::string name;
};

/// The collective calls of this rank.
class CallLog {
 public:
  /// Makes the call and logs it.
  template <typename Call>
  void operator()(const Place& place, const std::string& function, std::uint64_t bytes, const std::string& arguments,
                  Call&& call) {
    LoggedCall logged{.communicator = place.name, .function = function, .bytes = bytes, .arguments = arguments};
    MPI_Comm_size(place.comm, &logged.size);
    MPI_Comm_rank(place.comm, &logged.rank);
    logged.before = now();
    call();
    logged.after = now();
    calls_.push_back(logged);
  }

  const std::vector<LoggedCall>& calls() const { return calls_; }

 private:
  std::vector<LoggedCall> calls_;
};

}  // namespace airamp::traced
