// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace airamp::pmpi {

/// An agreed algorithm for one signature with everything that it needs already held: scratch, requests.
class Algorithm {
 public:
  Algorithm() = default;
  virtual ~Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;
};

/// The name of the compressed algorithms over MPI in settings and reports.
inline constexpr std::string_view mpi_two_shot_name = "mpi-two-shot";

}  // namespace airamp::pmpi
