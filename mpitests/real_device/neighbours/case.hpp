// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace airamp::gpu_tests {

/// This rank, and its GPU among those of the host.
struct Job {
  int rank = 0;
  int ranks = 1;
  int device = 0;
  int devices = 1;
};

/// What a sub-test has found on this rank.
struct Outcome {
  std::string mistake;  ///< empty if there is none
  std::string figures;  ///< what was measured, for a reader, as add_figure() writes it; rank 0's is printed
};

/// What a sub-test cannot do without.
struct Needs {
  int devices = 1;
  bool peers = false;  ///< the GPUs of the host reach each other's memory
};

/// A sub-test: what an application does with its GPU beside MPI. May call MPI_Finalize.
struct Case {
  std::string_view name;
  Outcome (*run)(const Job& job);
  Needs needs = {};
};

/// mistake = found, unless there was one before.
inline void keep_first(std::string& mistake, const std::string& found) {
  if (mistake.empty()) mistake = found;
}

/// Says on all ranks of MPI_COMM_WORLD whether any of them has found a mistake. Collective.
bool any_mistake(const std::string& mistake);

}  // namespace airamp::gpu_tests
