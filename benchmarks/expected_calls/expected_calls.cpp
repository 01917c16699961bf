// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What it is worth that a collective is expected: MPI_Allreduce on a communicator whose pattern PoLA has learnt,
// against one on which it is told not to look. And what it is worth that a plan keeps what it has prepared: against
// calls that differ a little each time. On host memory these have another length, so that no request fits; on device
// memory other buffers, so that the graph of the launch has other arguments and no buffer is known. All three in turns,
// in one run:
//
//   mpirun -n 2 airamp exec --enable-fp8-allreduce --min-bytes 1K --force mpi-two-shot -- expected_calls
//   mpirun -n 2 airamp exec -- expected_calls --memory device
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <optional>
#include <vector>

#include "benchmarks/airamp_bench/program.hpp"
#include "benchmarks/airamp_bench/series.hpp"

namespace airamp::benchmark {
namespace {

constexpr int calls_to_learn = 160;  // a sequence without any variety is looked at for 4 * pola_lock_events calls
constexpr std::size_t changed_bytes = 2000;  // more than two wire rows of FP16
constexpr std::size_t changed_buffers = 20;  // more than the graphs that a queue keeps
constexpr double fp8_error = 0.05;

struct Arguments {
  Place memory = Place::host;
  std::vector<ElementType> types{ElementType::float16};
  std::size_t min_bytes = 64U << 10U;
  std::size_t max_bytes = 4U << 20U;
  std::vector<std::size_t> bytes_list;
  int iterations = 41;
  double late_us = 0;
  std::optional<double> max_error;
};

std::vector<std::size_t> sizes_of(const Arguments& arguments) {
  std::vector<std::size_t> sizes = arguments.bytes_list;
  if (!sizes.empty()) return sizes;
  for (std::size_t bytes = arguments.min_bytes; bytes <= arguments.max_bytes; bytes *= 4) sizes.push_back(bytes);
  return sizes;
}

/// The sizes of calls none of which can use what was prepared for the one before.
std::vector<std::size_t> changing(Place memory, std::size_t bytes) {
  if (memory == Place::device) return std::vector<std::size_t>(changed_buffers, bytes);
  return {bytes, bytes > changed_bytes ? bytes - changed_bytes : bytes / 2};
}

/// Times one size and prints its row. Returns the check of all results.
Check measure(const Arguments& arguments, ElementType type, const Element& element, Memory& memory, std::size_t bytes,
              bool speaks) {
  const Options options{.type = type, .memory = arguments.memory};
  const InfoKeys looked_at{{"airamp_pola", "true"}};
  const InfoKeys not_looked_at{{"airamp_pola", "false"}};
  Series remade("unexpected", not_looked_at, options, element, memory, changing(arguments.memory, bytes),
                arguments.late_us);
  Series unexpected("unexpected", not_looked_at, options, element, memory, {bytes}, arguments.late_us);
  Series expected("expected", looked_at, options, element, memory, {bytes}, arguments.late_us);
  const std::vector<Series*> series{&remade, &unexpected, &expected};
  for (int i = 0; i < calls_to_learn; ++i) {
    for (Series* one : series) one->timed_call();
  }
  const int burst = arguments.memory == Place::device ? device_burst : 1;
  const std::vector<double> medians = medians_in_turns(series, arguments.iterations, burst);
  Check check;
  for (Series* one : series) check.add(one->check());
  if (speaks) {
    std::printf("%8s  %10zu  %12.2f  %13.2f  %11.2f  %7.3fx  %7.3fx  %8.1e\n", to_string(type), bytes, medians[0],
                medians[1], medians[2], medians[0] / medians[1], medians[1] / medians[2], check.error);
    std::fflush(stdout);
  }
  return check;
}

/// Sums over 16 ranks stay below: some units of the type's last place, on the host FP8's own error.
double error_limit(const Arguments& arguments, ElementType type) {
  if (arguments.max_error) return *arguments.max_error;
  if (arguments.memory == Place::host) return fp8_error;
  return type == ElementType::float16 ? 1e-3 : 1e-6;
}

int measure_all(const Arguments& arguments) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::unique_ptr<Memory> memory = open_memory_with_airamp("expected_calls", arguments.memory);
  if (!memory) return 1;
  if (rank == 0) {
    std::printf("# MPI_Allreduce, %d ranks, %s memory; medians of the slowest rank, %d calls of each kind in turns\n",
                ranks, to_string(arguments.memory), arguments.iterations);
    std::printf("%8s  %10s  %12s  %13s  %11s  %8s  %8s  %8s\n", "type", "bytes", "changing us", "unexpected us",
                "expected us", "kept", "expected", "error");
  }
  Check all;
  bool right = true;
  for (const ElementType type : arguments.types) {
    const Element element(type, Operation::sum);
    for (const std::size_t bytes : sizes_of(arguments)) {
      const Check check = measure(arguments, type, element, *memory, bytes, rank == 0);
      right = right && check.same_bits && check.error <= error_limit(arguments, type);
      all.add(check);
    }
  }
  if (rank == 0) all.print(right);
  return right ? 0 : 1;
}

int run(int argc, char** argv) {
  const std::map<std::string, Place> places{{"host", Place::host}, {"device", Place::device}};
  const std::map<std::string, ElementType> types{{"float16", ElementType::float16}, {"float32", ElementType::float32}};
  Arguments arguments;
  CLI::App app("What it is worth that a collective is expected");
  app.add_option("--memory", arguments.memory, "Of the buffers: host (default), device (CUDA)")
      ->transform(CLI::CheckedTransformer(places));
  app.add_option("--type", arguments.types, "float16 (default), float32, or both, separated by a comma")
      ->delimiter(',')
      ->transform(CLI::CheckedTransformer(types));
  app.add_option("--min-bytes", arguments.min_bytes, "Smallest message")->transform(CLI::AsSizeValue(false));
  app.add_option("--max-bytes", arguments.max_bytes, "Largest message")->transform(CLI::AsSizeValue(false));
  app.add_option("--bytes-list", arguments.bytes_list, "These sizes instead, separated by commas")
      ->delimiter(',')
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--iterations", arguments.iterations, "Timed calls of each kind")->check(CLI::PositiveNumber);
  app.add_option("--late", arguments.late_us, "Microseconds that one rank, each in turn, comes late");
  app.add_option("--max-error", arguments.max_error,
                 "Relative L2 error of a right result (default: 0.05, in device memory 1e-3 or 1e-6 by type)");
  CLI11_PARSE(app, argc, argv);
  return measure_all(arguments);
}

}  // namespace

}  // namespace airamp::benchmark

int main(int argc, char** argv) {
  return airamp::benchmark::run_program("expected_calls", argc, argv, airamp::benchmark::run);
}
