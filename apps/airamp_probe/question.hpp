// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace airamp::probe {

/// What `airamp-probe` can be asked. The answers have the same names in answers.hpp.
enum class Question { loading, mpi_library, gpus, topology, memory_bandwidth, flag_latency, gpu_copies };

inline constexpr std::array every_question = {Question::loading,   Question::mpi_library,      Question::gpus,
                                              Question::topology,  Question::memory_bandwidth, Question::flag_latency,
                                              Question::gpu_copies};

/// Its first argument for this question.
constexpr std::string_view to_string(Question question) {
  switch (question) {
    case Question::loading:
      return "loading";
    case Question::mpi_library:
      return "mpi-library";
    case Question::gpus:
      return "gpus";
    case Question::topology:
      return "topology";
    case Question::memory_bandwidth:
      return "memory-bandwidth";
    case Question::flag_latency:
      return "flag-latency";
    case Question::gpu_copies:
      return "gpu-copies";
  }
  return "";
}

}  // namespace airamp::probe
