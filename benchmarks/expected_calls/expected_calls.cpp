// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What it is worth that a collective is expected: FP16 MPI_Allreduce on a communicator whose pattern PoLA has learnt,
// against one on which it is told not to look, in turns, in one run. And what it is worth that a plan keeps its
// requests: against calls whose length changes a little each time, so that they are made anew. To be started with
// AIRamp and AIRAMP_FORCE:
//
//   mpirun -n 2 airamp exec --enable-fp8-allreduce --min-bytes 1K --force mpi-two-shot -- expected_calls
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include "benchmarks/airamp_bench/half.hpp"
#include "benchmarks/airamp_bench/half_operations.hpp"

namespace airamp::benchmark {
namespace {

constexpr std::size_t changed_elements = 1000;  // two wire rows and a bit: no request fits any more

constexpr int calls_to_learn = 160;  // a sequence without any variety is looked at for 4 * pola_lock_events calls

struct Options {
  std::size_t min_bytes = 64U << 10U;
  std::size_t max_bytes = 4U << 20U;
  int iterations = 41;
  double late_us = 0;
};

/// A communicator of its own, whose pattern PoLA is to learn or not.
MPI_Comm make_communicator(bool learns) {
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "airamp_pola", learns ? "true" : "false");
  MPI_Comm_set_info(communicator, info);
  MPI_Info_free(&info);
  return communicator;
}

class Sums {
 public:
  Sums(std::size_t bytes, double late_us)
      : late_us_(late_us), input_(bytes / 2, float_to_float16(1.0F)), output_(bytes / 2) {
    MPI_Type_contiguous(2, MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
    MPI_Op_create(half_operation(ElementType::float16, Operation::sum), 1, &op_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~Sums() {
    MPI_Op_free(&op_);
    MPI_Type_free(&type_);
  }
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;

  /// Microseconds of the slowest rank, for a vector that is so many elements shorter. In each call another rank is
  /// late.
  double timed_call(MPI_Comm communicator, std::size_t shorter = 0) {
    const bool late = late_us_ > 0 && call_++ % size_ == rank_;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (late) std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(late_us_));
    MPI_Allreduce(input_.data(), output_.data(), static_cast<int>(input_.size() - shorter), type_, op_, communicator);
    double seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds * 1e6;
  }

  /// Whether the last result was right.
  bool right() const {
    const std::uint16_t expected = float_to_float16(static_cast<float>(size_));
    return std::all_of(output_.begin(), output_.end(), [=](std::uint16_t value) { return value == expected; });
  }

 private:
  double late_us_;
  std::vector<std::uint16_t> input_;
  std::vector<std::uint16_t> output_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
  int rank_ = 0;
  int size_ = 0;
  int call_ = 0;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool measure(const Options& options, std::size_t bytes, int rank) {
  MPI_Comm learning = make_communicator(true);
  MPI_Comm other = make_communicator(false);
  MPI_Comm changing = make_communicator(false);
  Sums sums(bytes, options.late_us);
  for (int i = 0; i < calls_to_learn; ++i) {
    sums.timed_call(learning);
    sums.timed_call(other);
    sums.timed_call(changing, changed_elements * static_cast<std::size_t>(i % 2));
  }
  std::vector<double> expected;
  std::vector<double> unexpected;
  std::vector<double> remade;
  for (int i = 0; i < options.iterations; ++i) {
    remade.push_back(sums.timed_call(changing, changed_elements * static_cast<std::size_t>(i % 2)));
    unexpected.push_back(sums.timed_call(other));
    expected.push_back(sums.timed_call(learning));
  }
  const bool right = sums.right();
  if (rank == 0) {
    std::printf("%12zu  %12.1f  %14.1f  %12.1f  %8.2fx  %8.2fx\n", bytes, median(remade), median(unexpected),
                median(expected), median(remade) / median(unexpected), median(unexpected) / median(expected));
    std::fflush(stdout);
  }
  MPI_Comm_free(&learning);
  MPI_Comm_free(&other);
  MPI_Comm_free(&changing);
  return right;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("What it is worth that a collective is expected");
  app.add_option("--min-bytes", options.min_bytes, "Smallest message")->transform(CLI::AsSizeValue(false));
  app.add_option("--max-bytes", options.max_bytes, "Largest message")->transform(CLI::AsSizeValue(false));
  app.add_option("--iterations", options.iterations, "Timed calls of each kind")->check(CLI::PositiveNumber);
  app.add_option("--late", options.late_us, "Microseconds that one rank, each in turn, comes late");
  CLI11_PARSE(app, argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::printf("%12s  %12s  %14s  %12s  %9s  %9s\n", "bytes", "remade us", "unexpected us", "expected us", "kept",
                "expected");
  }
  bool right = true;
  for (std::size_t bytes = options.min_bytes; bytes <= options.max_bytes; bytes *= 4) {
    right = measure(options, bytes, rank) && right;
  }
  if (!right) std::fprintf(stderr, "expected_calls: rank %d: a result was wrong\n", rank);
  return right ? 0 : 1;
}

}  // namespace
}  // namespace airamp::benchmark

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = airamp::benchmark::run(argc, argv);
  MPI_Finalize();
  return status;
}
