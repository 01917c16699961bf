// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What small collectives of FP64 on host memory cost beside the MPI library's own, which are called without AIRamp in
// between: back to back, and each after a compute phase that has taken the caches, of a nonblocking one its start
// before the phase and its wait behind it. Both in turns in one run, medians of the slowest rank; and whether every bit
// of the results is the same. The ranks are to be on one host, whose clock they share, with a processor each.
//
//   mpirun -n 16 --bind-to core airamp exec -- host_calls
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/airamp_bench/measurement.hpp"
#include "benchmarks/host_calls/common_start.hpp"
#include "testing/mpi_functions.hpp"

namespace airamp::benchmark {
namespace {

using testing::MpiFunctions;

struct Arguments {
  std::vector<std::string> collectives{"allreduce", "reduce",  "bcast",      "allgather",
                                       "alltoall",  "barrier", "iallreduce", "ibarrier"};
  std::vector<int> bytes{8, 64, 1024, 8192};
  int turns = 15;
  int calls = 300;  // of a turn, back to back
};

using Buffer = std::vector<double>;
using Call = std::function<void(const MpiFunctions& mpi, Buffer& input, Buffer& output)>;
using Start = std::function<void(const MpiFunctions& mpi, Buffer& input, Buffer& output, MPI_Request* request)>;

/// What is nonblocking; empty for others.
Start start_of(const std::string& collective, int count) {
  if (collective == "iallreduce") {
    return [=](const MpiFunctions& mpi, Buffer& input, Buffer& output, MPI_Request* request) {
      mpi.iallreduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
    };
  }
  if (collective == "ibarrier") {
    return [=](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& /*output*/, MPI_Request* request) {
      mpi.ibarrier(MPI_COMM_WORLD, request);
    };
  }
  return {};
}

Call call_of(const std::string& collective, int count) {
  if (const Start start = start_of(collective, count)) {
    return [=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      MPI_Request request = MPI_REQUEST_NULL;
      start(mpi, input, output, &request);
      mpi.wait(&request, MPI_STATUS_IGNORE);
    };
  }
  if (collective == "allreduce") {
    return [=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.allreduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    };
  }
  if (collective == "reduce") {
    return [=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.reduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    };
  }
  if (collective == "bcast") {
    return [=](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& output) {
      mpi.bcast(output.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    };
  }
  if (collective == "allgather") {
    return [=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.allgather(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
    };
  }
  if (collective == "alltoall") {
    return [=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.alltoall(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
    };
  }
  return [](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& /*output*/) { mpi.barrier(MPI_COMM_WORLD); };
}

/// What a rank computes with between its calls: more than a core's own caches hold, code of whatever library included.
class ComputePhase {
 public:
  void run() {
    for (std::size_t i = 0; i < numbers_.size(); i += 8) numbers_[i] = numbers_[i] * 0.5 + 1;
  }

 private:
  std::vector<double> numbers_ = std::vector<double>((std::size_t{3} << 20U) / sizeof(double), 1.0);
};

class Timer {
 public:
  Timer(const MpiFunctions& mpi, const std::string& collective, int count, Buffer input, std::size_t outputs,
        CommonStart& common_start)
      : mpi_(mpi),
        common_start_(common_start),
        call_(call_of(collective, count)),
        start_(start_of(collective, count)),
        input_(std::move(input)),
        output_(outputs) {}

  void back_to_back(int calls) {
    testing::librarys_functions().barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call();
    loop_.push_back((MPI_Wtime() - begin) / calls);
  }

  void after_compute() {
    constexpr int calls = 9;
    for (int i = 0; i < calls; ++i) {
      const double before = MPI_Wtime();
      MPI_Request request = MPI_REQUEST_NULL;
      if (start_) start_(mpi_, input_, output_, &request);
      const double started = MPI_Wtime();
      compute_.run();
      const double begin = common_start_.wait();
      if (start_) {
        mpi_.wait(&request, MPI_STATUS_IGNORE);
      } else {
        call();
      }
      compute_seconds_.push_back(MPI_Wtime() - begin + (start_ ? started - before : 0));
    }
  }

  /// Of the slowest rank; microseconds.
  double loop() { return 1e6 * median_of_slowest(loop_, MPI_COMM_WORLD); }
  double after_compute_us() { return 1e6 * median_of_slowest(compute_seconds_, MPI_COMM_WORLD); }

  const Buffer& result() {
    std::fill(output_.begin(), output_.end(), input_.front());
    call();
    return output_;
  }

  void call() { call_(mpi_, input_, output_); }

 private:
  MpiFunctions mpi_;
  CommonStart& common_start_;
  Call call_;
  Start start_;  ///< empty: it is no nonblocking collective
  Buffer input_;
  Buffer output_;
  ComputePhase compute_;
  std::vector<double> loop_;
  std::vector<double> compute_seconds_;
};

bool same_bits(const Buffer& a, const Buffer& b) {
  int same = std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return same == 1;
}

/// One row. Whether all bits were the same.
bool measure(const Arguments& arguments, const std::string& collective, int bytes) {
  constexpr int calls_to_decide = 3000;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = bytes / static_cast<int>(sizeof(double));
  const auto all = static_cast<std::size_t>(count) * static_cast<std::size_t>(ranks);
  Buffer input(all);
  for (std::size_t i = 0; i < all; ++i)
    input[i] = 1.0 / static_cast<double>(i + 3 + static_cast<std::size_t>(rank) * 7);
  CommonStart common_start;
  Timer native(testing::librarys_functions(), collective, count, input, all, common_start);
  Timer airamp(testing::programs_functions(), collective, count, input, all, common_start);
  for (int i = 0; i < calls_to_decide; ++i) {
    airamp.call();
    if (i % 100 == 99) MPI_Barrier(MPI_COMM_WORLD);  // in which it is settled how nonblocking calls go
  }
  for (int turn = 0; turn < arguments.turns; ++turn) {
    native.back_to_back(arguments.calls);
    airamp.back_to_back(arguments.calls);
  }
  for (int turn = 0; turn < arguments.turns; ++turn) {
    native.after_compute();
    airamp.after_compute();
  }
  const bool same = same_bits(native.result(), airamp.result());
  const std::array<double, 4> us{native.loop(), airamp.loop(), native.after_compute_us(), airamp.after_compute_us()};
  if (rank == 0) {
    std::printf("%-10s %8d | %9.3f %9.3f %6.2fx | %9.3f %9.3f %6.2fx | %s\n", collective.c_str(), bytes, us[0], us[1],
                us[0] / us[1], us[2], us[3], us[2] / us[3], same ? "yes" : "NO");
    std::fflush(stdout);
  }
  return same;
}

int run(const Arguments& arguments) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    std::printf("# %d ranks, microseconds\n#%-9s %8s | %27s | %27s | same\n#%18s | %9s %9s %7s | %9s %9s %7s | bits\n",
                ranks, "", "bytes", "back to back", "after a compute phase", "", "native", "AIRamp", "ratio", "native",
                "AIRamp", "ratio");
  }
  bool same = true;
  for (const std::string& collective : arguments.collectives) {
    for (const int bytes : arguments.bytes) {
      same = measure(arguments, collective, bytes) && same;
      if (collective == "barrier" || collective == "ibarrier") break;  // it has no length
    }
  }
  return same ? 0 : 1;
}

}  // namespace
}  // namespace airamp::benchmark

int main(int argc, char** argv) {
  using namespace airamp::benchmark;
  Arguments arguments;
  CLI::App app("Small collectives on host memory against the MPI library's own.");
  app.add_option("--collective", arguments.collectives, "Which; several by commas.")
      ->delimiter(',')
      ->check(CLI::IsMember(arguments.collectives))
      ->capture_default_str();
  app.add_option("--bytes-list", arguments.bytes, "Bytes of a rank's vector or block; multiples of 8.")
      ->delimiter(',')
      ->check(CLI::Range(8, 1 << 24))
      ->capture_default_str();
  app.add_option("--turns", arguments.turns, "Of each kind, for the median.")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--calls", arguments.calls, "Of a turn, back to back.")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    status = run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "host_calls: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
