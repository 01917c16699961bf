// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// How good the tuner's choice is: MPI_Allreduce of device buffers on a communicator where it chooses, against
// communicators on which one path each is imposed, all in turns in one run.
//
//   mpirun -n 4 airamp exec --enable-fp8-allreduce --min-bytes 64K -- path_choice
//
// A path that cannot carry a size is left to the MPI library, and not shown.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/airamp_bench/measurement.hpp"
#include "benchmarks/airamp_bench/program.hpp"
#include "benchmarks/airamp_bench/series.hpp"

namespace airamp::benchmark {
namespace {

constexpr int calls_to_choose = 60;
constexpr int calls_to_try = 5;
// Nothing that AIRamp itself does takes so many times as long; the MPI library with GPU memory does.
constexpr double out_of_question = 3;
constexpr double fp8_error = 0.05;

struct Arguments {
  ElementType type = ElementType::float16;
  std::vector<std::string> paths{"peer-one-shot", "peer-two-shot", "peer-compressed"};
  std::vector<std::size_t> bytes_list;
  int iterations = 201;
};

double median_of_calls(Series& series, int calls) {
  std::vector<double> seconds;
  for (int i = 0; i < calls; ++i) seconds.push_back(series.timed_call());
  return median_of_slowest(seconds, MPI_COMM_WORLD);
}

/// Times one size and prints its row. Returns the check of all results.
Check measure(const Arguments& arguments, const Element& element, Memory& memory, std::size_t bytes, bool speaks) {
  const Options options{.type = arguments.type, .memory = Place::device};
  Series tuned("tuned", {{"airamp_force", "none"}}, options, element, memory, {bytes});
  median_of_calls(tuned, calls_to_choose);
  const double chosen = median_of_calls(tuned, calls_to_try);
  std::vector<std::unique_ptr<Series>> imposed(arguments.paths.size());
  std::vector<Series*> turns{&tuned};
  for (std::size_t i = 0; i < imposed.size(); ++i) {
    auto series = std::make_unique<Series>(arguments.paths[i], InfoKeys{{"airamp_force", arguments.paths[i]}}, options,
                                           element, memory, std::vector<std::size_t>{bytes});
    if (median_of_calls(*series, calls_to_try) > out_of_question * chosen) continue;
    imposed[i] = std::move(series);
    turns.push_back(imposed[i].get());
  }
  const std::vector<double> medians = medians_in_turns(turns, arguments.iterations, device_burst);
  Check check;
  for (Series* series : turns) check.add(series->check());
  if (!speaks) return check;
  const double best = turns.size() > 1 ? *std::min_element(medians.begin() + 1, medians.end()) : 0;
  std::printf("%10zu  %10.2f", bytes, medians[0]);
  std::size_t next = 1;
  for (const auto& series : imposed) {
    if (series) {
      std::printf("  %15.2f", medians[next++]);
    } else {
      std::printf("  %15s", "-");
    }
  }
  std::printf("  %11.3f  %8.1e\n", best > 0 ? medians[0] / best : 0, check.error);
  std::fflush(stdout);
  return check;
}

int measure_all(const Arguments& arguments) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::unique_ptr<Memory> memory = open_memory_with_airamp("path_choice", Place::device);
  if (!memory) return 1;
  if (rank == 0) {
    std::printf(
        "# MPI_Allreduce of %s, %d ranks, device memory; medians of the slowest rank, us, %d calls of each in "
        "turns; last the tuner's choice by the best path\n",
        to_string(arguments.type), ranks, arguments.iterations);
    std::printf("%10s  %10s", "bytes", "tuner");
    for (const std::string& path : arguments.paths) std::printf("  %15s", path.c_str());
    std::printf("  %11s  %8s\n", "choice/best", "error");
  }
  std::vector<std::size_t> sizes = arguments.bytes_list;
  for (std::size_t bytes = 8; arguments.bytes_list.empty() && bytes <= 64U << 20U; bytes *= 2) sizes.push_back(bytes);
  const Element element(arguments.type, Operation::sum);
  Check all;
  for (const std::size_t bytes : sizes) all.add(measure(arguments, element, *memory, bytes, rank == 0));
  const bool right = all.same_bits && all.error <= fp8_error;
  if (rank == 0) all.print(right);
  return right ? 0 : 1;
}

int run(int argc, char** argv) {
  const std::map<std::string, ElementType> types{{"float16", ElementType::float16}, {"float32", ElementType::float32}};
  Arguments arguments;
  CLI::App app("How good the tuner's choice of a path is");
  app.add_option("--type", arguments.type, "float16 (default) or float32")->transform(CLI::CheckedTransformer(types));
  app.add_option("--paths", arguments.paths, "What is imposed, as for AIRAMP_FORCE, separated by commas")
      ->delimiter(',');
  app.add_option("--bytes-list", arguments.bytes_list, "Message sizes, separated by commas (default: 8 to 64M)")
      ->delimiter(',')
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--iterations", arguments.iterations, "Timed calls of each kind (default 201)")
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  return measure_all(arguments);
}

}  // namespace

}  // namespace airamp::benchmark

int main(int argc, char** argv) {
  return airamp::benchmark::run_program("path_choice", argc, argv, airamp::benchmark::run);
}
