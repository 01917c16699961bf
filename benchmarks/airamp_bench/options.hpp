// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace airamp::benchmark {

enum class Collective { allreduce, allgather, allgatherv };
enum class ElementType { float16, bfloat16, float32, float64, int32 };
enum class Operation { sum, max, min };

const char* to_string(Collective collective);
const char* to_string(ElementType type);
const char* to_string(Operation operation);

/// What one run of the benchmark measures.
struct Options {
  Collective collective = Collective::allreduce;
  ElementType type = ElementType::float32;
  Operation operation = Operation::sum;
  std::size_t min_bytes = 1U << 20U;   ///< smallest size, bytes per rank
  std::size_t max_bytes = 64U << 20U;  ///< largest size, bytes per rank
  std::size_t factor = 4;              ///< from one size to the next, at least 2
  int iterations = 20;                 ///< timed calls of each kind
  int warmup = 6;                      ///< untimed calls of each kind; AIRamp decides during its own
  bool check = true;                   ///< measure the error and compare the bits of all ranks
  std::string json;                    ///< file for the rows; empty for none
};

/// Reads the command line. Returns true to go on; otherwise the program ends with `exit_code`, and rank 0 (`speaks`)
/// has printed the help or the mistake.
bool parse_options(int argc, char** argv, bool speaks, Options& options, int& exit_code);

}  // namespace airamp::benchmark
