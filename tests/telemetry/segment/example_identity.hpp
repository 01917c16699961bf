// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "telemetry/segment/writer/segment_writer.hpp"

namespace airamp::telemetry {

inline constexpr std::array<std::string_view, 3> example_functions = {"MPI_Allreduce", "MPI_Bcast", "MPI_Barrier"};
inline constexpr std::array<std::string_view, 2> example_paths = {"native", "mpi-two-shot"};

inline Identity example_identity(int rank, int size) {
  return {.rank = rank,
          .size = size,
          .version = "1.2.3",
          .mpi = "Some MPI 4",
          .architecture = "x86_64",
          .gpu = "A GPU",
          .program = "simulation",
          .host = "node1",
          .user = "someone",
          .functions = example_functions,
          .paths = example_paths};
}

}  // namespace airamp::telemetry
