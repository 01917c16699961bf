// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "testing/mpi_functions.hpp"

namespace airamp::benchmark {

/// A collective of FP64 on host memory, as it is called with the functions of either side. Input and output have room
/// for a block of every rank.
struct HostCollective {
  using Buffer = std::vector<double>;
  using Start = std::function<void(const testing::MpiFunctions& mpi, Buffer& input, Buffer& output, MPI_Request*)>;
  using Call = std::function<void(const testing::MpiFunctions& mpi, Buffer& input, Buffer& output)>;

  Call call;    ///< from its begin to its end
  Start start;  ///< of a nonblocking one; empty for others
};

/// The names of all of them.
const std::vector<std::string>& host_collective_names();

/// Whether calls of that name have data.
bool has_data(const std::string& name);

/// One of these, of `count` elements in a rank's vector or block; the root is rank 0.
HostCollective host_collective(const std::string& name, int count);

}  // namespace airamp::benchmark
