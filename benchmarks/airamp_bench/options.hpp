// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "benchmarks/airamp_bench/values/kinds.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 calls it so
class App;
}

namespace airamp::benchmark {

enum class Collective {
  allreduce,
  allgather,
  allgatherv,
  reduce_scatter_block,
  bcast,
  reduce,
  gather,
  scatter,
  alltoall,
  reduce_scatter,
  scan,
  barrier
};
enum class Place { host, device };

const char* to_string(Collective collective);
const char* to_string(Place place);

/// What one run of the benchmark measures.
struct Options {
  Collective collective = Collective::allreduce;
  bool host = false;   ///< instead a table of many on host memory (host/host_table.hpp)
  bool holes = false;  ///< behind each number of that table
  int uneven_us = 0;   ///< microseconds by which ranks of that table come apart in a step; 0: no steps
  std::vector<std::string> collectives;  ///< of that table; without it the one that was named, if any
  ElementType type = ElementType::float32;
  Operation operation = Operation::sum;
  Data data = Data::about_normal;       ///< of floating-point numbers
  int integer_bits = 0;                 ///< of integers' values, with their sign; 0 for the most
  Place memory = Place::host;           ///< of the buffers
  bool native = true;                   ///< compare with the MPI library's own
  bool nccl = false;                    ///< compare with NCCL's; device memory only
  bool nccl_symmetric = false;          ///< and with NCCL's on symmetric windows
  bool in_place = false;                ///< MPI_IN_PLACE
  std::size_t unaligned = 0;            ///< elements by which buffers are moved from their alignment
  std::size_t min_bytes = 1U << 20U;    ///< smallest size, bytes per rank
  std::size_t max_bytes = 64U << 20U;   ///< largest size, bytes per rank
  std::size_t factor = 4;               ///< from one size to the next, at least 2
  std::vector<std::size_t> bytes_list;  ///< sizes instead of those three
  int iterations = 20;                  ///< timed calls of each kind, at most
  int calls = 300;                      ///< of a turn of that table, back to back
  int budget_ms = 0;                    ///< time for the timed calls of one size, at least 7; 0 for no limit
  int warmup = 6;                       ///< untimed calls of each kind; AIRamp decides during its own
  bool check = true;                    ///< measure the error and compare the bits of all ranks
  std::string json;                     ///< file for the rows; empty for none

  bool reduces() const {
    return collective == Collective::allreduce || collective == Collective::reduce_scatter_block ||
           collective == Collective::reduce || collective == Collective::reduce_scatter ||
           collective == Collective::scan;
  }
};

/// The sizes to measure, in bytes per rank.
std::vector<std::size_t> sizes(const Options& options);

/// Adds the options to `app`, with what --help and the manual say.
void add_options(CLI::App& app, Options& options);

/// Reads the command line. Returns true to go on; otherwise the program ends with `exit_code`, and rank 0 (`speaks`)
/// has printed the help or the mistake.
bool parse_options(int argc, char** argv, bool speaks, Options& options, int& exit_code);

}  // namespace airamp::benchmark
