// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// device_synchronisations [--type float32|float16] [--bytes LIST] [--calls N]: what an MPI_Allreduce on device buffers
// asks the CUDA driver to do, counted by a profiler's interface. Prints every function of the driver with its calls for
// each collective. Wrong if collectives launch none or more than one, or wait for the device in the driver more than
// once. AIRamp's engine ends with a flag in host memory that the host looks at: one wait, of which no driver function
// knows.

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "mpitests/real_device/api_counter.hpp"
#include "mpitests/real_device/device.hpp"
#include "mpitests/real_device/element.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr int warm_up_calls = 60;  // the tuner decides within
// The tuner measures again for about a hundredth of the time, and the calls in which it does launch all candidates.
constexpr double tolerated_share = 0.05;

struct Options {
  std::string type = "float32";
  std::vector<std::size_t> bytes{8, 64U << 10U, 1U << 20U, 64U << 20U};
  int calls = 1000;
};

/// One MPI_Allreduce with its buffers: every element of every rank is 1.
class Sum {
 public:
  Sum(const Element& element, MPI_Op op, std::size_t bytes)
      : element_(element), op_(op), count_(std::max<std::size_t>(1, bytes / element.bytes)) {
    std::vector<std::byte> host = filled(1);
    require(cudaMalloc(&send_, host.size()), "cudaMalloc");
    require(cudaMalloc(&receive_, host.size()), "cudaMalloc");
    copy_bytes(send_, host.data(), host.size());
    std::fill(host.begin(), host.end(), std::byte{0xff});
    copy_bytes(receive_, host.data(), host.size());
  }
  ~Sum() {
    require(cudaFree(send_), "cudaFree");
    require(cudaFree(receive_), "cudaFree");
  }
  Sum(const Sum&) = delete;
  Sum& operator=(const Sum&) = delete;

  void run() const { MPI_Allreduce(send_, receive_, static_cast<int>(count_), element_.type, op_, MPI_COMM_WORLD); }

  /// Whether the last result was right. Up to 16 ranks it is exact in every format, FP8 included.
  bool right() const {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<std::byte> result(count_ * element_.bytes);
    copy_bytes(result.data(), receive_, result.size());
    return result == filled(ranks);
  }

 private:
  std::vector<std::byte> filled(int value) const {
    std::vector<std::byte> data(count_ * element_.bytes);
    for (std::size_t i = 0; i < count_; ++i) set_value(element_.format, data.data(), i, value);
    return data;
  }

  const Element& element_;
  MPI_Op op_;
  std::size_t count_;
  void* send_ = nullptr;
  void* receive_ = nullptr;
};

/// What calls of one size did; of the rank that did most.
struct Counts {
  double launches = 0;          // a call, on average
  double synchronisations = 0;  // the same
  double queries = 0;
  int more_than_one = 0;  // calls that launched or synchronised more than once
  int wrong = 0;          // ranks with a wrong result
};

Counts largest(const Counts& own) {
  std::array<double, 4> values{own.launches, own.synchronisations, own.queries, static_cast<double>(own.more_than_one)};
  MPI_Allreduce(MPI_IN_PLACE, values.data(), values.size(), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  int wrong = own.wrong;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return {values[0], values[1], values[2], static_cast<int>(values[3]), wrong};
}

Counts count(ApiCounter& counter, const Sum& sum, int calls) {
  for (int i = 0; i < warm_up_calls; ++i) sum.run();
  Counts counts;
  ApiCounter::Totals before;
  counter.start();
  for (int i = 0; i < calls; ++i) {
    sum.run();
    const ApiCounter::Totals now = counter.totals();
    const bool more = now.launches - before.launches > 1 || now.synchronisations - before.synchronisations > 1;
    counts.more_than_one += more ? 1 : 0;
    before = now;
  }
  counter.stop();
  counts.launches = static_cast<double>(before.launches) / calls;
  counts.synchronisations = static_cast<double>(before.synchronisations) / calls;
  counts.queries = static_cast<double>(before.queries) / calls;
  counts.wrong = sum.right() ? 0 : 1;
  return largest(counts);
}

void print(const Options& options, std::size_t bytes, const Counts& counts, const ApiCounter& counter) {
  std::printf(
      "%s, %zu bytes, %d collectives, for each: %.3f launches, %.3f synchronisations, %.3f queries; more than one "
      "launch or synchronisation in %d\n",
      options.type.c_str(), bytes, options.calls, counts.launches, counts.synchronisations, counts.queries,
      counts.more_than_one);
  for (const ApiCounter::Function& function : counter.functions()) {
    std::printf("    %-40s %8.3f\n", function.name.c_str(), static_cast<double>(function.calls) / options.calls);
  }
  std::fflush(stdout);
}

/// The element type of that name, and its sum.
const Element& element_of(const Vocabulary& vocabulary, const std::string& type, MPI_Op& op) {
  const Format format = type == "float16" ? Format::float16 : Format::float32;
  const auto& elements = vocabulary.elements();
  const Element& element =
      *std::find_if(elements.begin(), elements.end(), [=](const Element& e) { return e.format == format; });
  for (const Operation* operation : vocabulary.operations(element)) {
    if (operation->meaning == Meaning::sum) op = operation->op;
  }
  return element;
}

int measure_all(const Options& options) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!use_device()) return skipped;
  std::string why;
  const std::unique_ptr<ApiCounter> counter = ApiCounter::open(why);
  int all_count = counter != nullptr ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all_count, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (all_count == 0) {
    if (rank == 0) std::printf("skipped: %s\n", counter ? "another rank cannot count" : why.c_str());
    return skipped;
  }
  const Vocabulary vocabulary;
  MPI_Op op = MPI_OP_NULL;
  const Element& element = element_of(vocabulary, options.type, op);
  Counts worst;
  int mistakes = 0;
  for (const std::size_t bytes : options.bytes) {
    const Sum sum(element, op, bytes);
    const Counts counts = count(*counter, sum, options.calls);
    if (rank == 0) print(options, bytes, counts, *counter);
    const bool too_many = counts.more_than_one > tolerated_share * options.calls;
    const bool not_ours = counts.launches < 0.5;
    mistakes += too_many || not_ours || counts.wrong != 0 ? 1 : 0;
    worst = {std::max(worst.launches, counts.launches), std::max(worst.synchronisations, counts.synchronisations),
             std::max(worst.queries, counts.queries), std::max(worst.more_than_one, counts.more_than_one),
             worst.wrong + counts.wrong};
  }
  if (rank == 0) {
    std::printf(
        "device_synchronisations: %s, %d ranks, %zu sizes, at most %.3f launches, %.3f synchronisations and %.3f "
        "queries a collective; more than one in at most %d of %d; %d results wrong; %d sizes wrong\n",
        options.type.c_str(), ranks, options.bytes.size(), worst.launches, worst.synchronisations, worst.queries,
        worst.more_than_one, options.calls, worst.wrong, mistakes);
  }
  return mistakes == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("What an MPI_Allreduce on device buffers asks the CUDA driver to do");
  app.add_option("--type", options.type, "float32 (default) or float16")->check(CLI::IsMember({"float32", "float16"}));
  app.add_option("--bytes", options.bytes, "Sizes, separated by commas")
      ->delimiter(',')
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--calls", options.calls, "Counted calls of each size")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  return measure_all(options);
}

}  // namespace
}  // namespace airamp::gpu_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    status = airamp::gpu_tests::run(argc, argv);
  } catch (const std::exception& error) {
    // The other ranks are somewhere inside a collective.
    std::fprintf(stderr, "device_synchronisations: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
