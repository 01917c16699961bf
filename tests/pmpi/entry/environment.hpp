// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <map>
#include <string>

namespace airamp::pmpi {

/// Variables of the environment, for MPI_Init to find while this lives. No GPUs and no publishing: ranks that are
/// threads share both.
class Environment {
 public:
  explicit Environment(std::map<std::string, std::string> variables) : variables_(std::move(variables)) {
    variables_.insert({{"AIRAMP_GPU", "no"}, {"AIRAMP_TELEMETRY", "false"}, {"AIRAMP_LOG_LEVEL", "error"}});
    for (const auto& [name, value] : variables_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto& [name, value] : variables_) unsetenv(name.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::map<std::string, std::string> variables_;
};

/// What opts in to compressed sums and gathers of float32.
inline std::map<std::string, std::string> compressed() {
  return {{"AIRAMP_ENABLE_FP8_ALLREDUCE", "true"},
          {"AIRAMP_ENABLE_FP8_ALLGATHER", "true"},
          {"AIRAMP_LOSSY_TYPES", "float32"},
          {"AIRAMP_MIN_BYTES", "1024"},
          {"AIRAMP_FORCE", "mpi-two-shot"}};
}

}  // namespace airamp::pmpi
