// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// How good the tuner's choice is: MPI_Allreduce of device buffers on a communicator where it chooses, against
// communicators on which one path each is imposed, all in turns in one run.
//
//   mpirun -n 4 airamp exec --enable-fp8-allreduce --min-bytes 64K -- path_choice
//
// A path that cannot carry a size is left to the MPI library, and not shown.
#include <dlfcn.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/airamp_bench/measurement.hpp"
#include "benchmarks/airamp_bench/memory_of_ranks.hpp"
#include "benchmarks/airamp_bench/series.hpp"

namespace airamp::benchmark {
namespace {

constexpr int calls_to_choose = 60;
constexpr int calls_to_try = 5;
// Nothing that AIRamp itself does takes so many times as long; the MPI library with GPU memory does.
constexpr double out_of_question = 3;
// Communicators share a queue: the first call after another's is not timed.
constexpr int burst = 10;
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
  std::map<const Series*, std::vector<double>> seconds;
  for (int done = 0; done < arguments.iterations; done += burst) {
    for (std::size_t k = 0; k < turns.size(); ++k) {
      // None always goes first.
      Series* series = turns[(k + static_cast<std::size_t>(done / burst)) % turns.size()];
      series->timed_call();
      for (int i = 0; i < burst; ++i) seconds[series].push_back(series->timed_call());
    }
  }
  Check check;
  std::map<const Series*, double> medians;
  double best = 0;
  for (Series* series : turns) {
    medians[series] = 1e6 * median_of_slowest(seconds[series], MPI_COMM_WORLD);
    if (series != &tuned) best = best == 0 ? medians[series] : std::min(best, medians[series]);
    check.add(series->check());
  }
  if (!speaks) return check;
  std::printf("%10zu  %10.2f", bytes, medians[&tuned]);
  for (const auto& series : imposed) {
    if (series) {
      std::printf("  %15.2f", medians[series.get()]);
    } else {
      std::printf("  %15s", "-");
    }
  }
  std::printf("  %11.3f  %8.1e\n", best > 0 ? medians[&tuned] / best : 0, check.error);
  std::fflush(stdout);
  return check;
}

std::unique_ptr<Memory> open_memory() {
  if (dlsym(RTLD_DEFAULT, "airamp_version") == nullptr) throw std::runtime_error("AIRamp is not loaded");
  return device_memory(local_rank(MPI_COMM_WORLD));
}

int measure_all(const Arguments& arguments) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::unique_ptr<Memory> memory = open_on_all_ranks("path_choice", MPI_COMM_WORLD, open_memory);
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
  if (rank == 0) {
    std::printf("# %d results checked: largest error %.1e, bits %s on all ranks: %s\n", all.results, all.error,
                all.same_bits ? "equal" : "NOT equal", right ? "right" : "WRONG");
  }
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
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    status = airamp::benchmark::run(argc, argv);
  } catch (const std::exception& error) {
    // The other ranks are somewhere inside a collective.
    std::fprintf(stderr, "path_choice: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
