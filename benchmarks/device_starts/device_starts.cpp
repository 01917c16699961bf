// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What MPI_Iallreduce of FP64 on device memory costs: where AIRamp leaves it to the MPI library, which gets host copies
// unless it takes GPU memory there, and where AIRamp decides. Start and wait back to back; and with a kernel of the
// application's launched behind the start and waited for behind the end, in times of that kernel alone. In turns in one
// run, medians of the slowest rank.
//
//   mpirun -n 2 airamp exec -- device_starts
#include <cuda_runtime.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/airamp_bench/measurement.hpp"
#include "benchmarks/application_kernels.hpp"

namespace airamp::benchmark {
namespace {

struct Arguments {
  std::vector<int> bytes{8, 64, 512, 2000, 16384, 1 << 20U};
  int turns = 15;
  int calls = 50;  // of a turn, back to back
};

void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// Takes every multiprocessor for some hundred microseconds.
class Kernel {
 public:
  Kernel() {
    require(cudaMalloc(&data_, elements * sizeof(float)), "cudaMalloc");
    require(cudaMemset(data_, 0, elements * sizeof(float)), "cudaMemset");
  }
  ~Kernel() { cudaFree(data_); }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// In the default stream.
  void launch() {
    constexpr int steps = 8192;
    gpu::test::launch_arithmetic(static_cast<float*>(data_), elements, steps, nullptr);
    require(cudaGetLastError(), "a kernel's launch");
  }
  static void wait() { require(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize"); }

 private:
  static constexpr std::size_t elements = std::size_t{1} << 20U;
  void* data_ = nullptr;
};

/// Calls of one length on a communicator of their own.
class Calls {
 public:
  explicit Calls(int bytes) : count_(bytes / static_cast<int>(sizeof(double))) {
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
    const std::vector<double> ones(static_cast<std::size_t>(count_), 1.0);
    for (void** const buffer : {&input_, &output_}) {
      require(cudaMalloc(buffer, ones.size() * sizeof(double)), "cudaMalloc");
      require(cudaMemcpy(*buffer, ones.data(), ones.size() * sizeof(double), cudaMemcpyDefault), "cudaMemcpy");
    }
  }
  ~Calls() {
    cudaFree(input_);
    cudaFree(output_);
    MPI_Comm_free(&communicator_);
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// `decides`: in barriers between it is settled how they go. Without a call in which all wait for all on their
  /// communicator they stay native.
  void warm_up(bool decides) {
    constexpr int calls = 400;
    for (int i = 0; i < calls; ++i) {
      call();
      if (decides && i % 40 == 39) MPI_Barrier(communicator_);
    }
  }

  void back_to_back(int calls) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call();
    loop_.push_back((MPI_Wtime() - begin) / calls);
  }

  void beside(Kernel& kernel) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    start();
    kernel.launch();
    end();
    wait_.push_back(MPI_Wtime() - begin);
    Kernel::wait();
    beside_.push_back(MPI_Wtime() - begin);
  }

  /// Of the slowest rank; microseconds.
  double loop() { return 1e6 * median_of_slowest(loop_, MPI_COMM_WORLD); }
  /// Until the result was there, and until the kernel had ended as well.
  double until_result() { return 1e6 * median_of_slowest(wait_, MPI_COMM_WORLD); }
  double until_end() { return 1e6 * median_of_slowest(beside_, MPI_COMM_WORLD); }

  bool is_right() const {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<double> sums(static_cast<std::size_t>(count_));
    require(cudaMemcpy(sums.data(), output_, sums.size() * sizeof(double), cudaMemcpyDefault), "cudaMemcpy");
    int right = 1;
    for (const double sum : sums) right = sum == ranks ? right : 0;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right == 1;
  }

 private:
  void start() { MPI_Iallreduce(input_, output_, count_, MPI_DOUBLE, MPI_SUM, communicator_, &request_); }
  void end() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  void call() {
    start();
    end();
  }

  int count_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
  void* input_ = nullptr;
  void* output_ = nullptr;
  std::vector<double> loop_;
  std::vector<double> wait_;
  std::vector<double> beside_;
};

double time_alone(Kernel& kernel, int turns) {
  std::vector<double> seconds;
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    kernel.launch();
    Kernel::wait();
    seconds.push_back(MPI_Wtime() - begin);
  }
  return 1e6 * median_of_slowest(seconds, MPI_COMM_WORLD);
}

/// One row. Whether the results were right.
bool measure(const Arguments& arguments, int bytes, Kernel& kernel) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Calls native(bytes);
  Calls airamp(bytes);
  native.warm_up(false);
  airamp.warm_up(true);
  for (int turn = 0; turn < arguments.turns; ++turn) {
    native.back_to_back(arguments.calls);
    airamp.back_to_back(arguments.calls);
  }
  for (int turn = 0; turn < arguments.turns; ++turn) {
    native.beside(kernel);
    airamp.beside(kernel);
  }
  const double alone = time_alone(kernel, arguments.turns);
  const std::array<double, 2> loop{native.loop(), airamp.loop()};
  const bool right = native.is_right() && airamp.is_right();
  const std::array<double, 4> beside{native.until_result(), airamp.until_result(), native.until_end() / alone,
                                     airamp.until_end() / alone};
  if (rank == 0) {
    std::printf("%9d | %9.1f %9.1f %6.2fx | %9.1f %9.1f | %6.2fx %6.2fx of %7.1f | %s\n", bytes, loop[0], loop[1],
                loop[0] / loop[1], beside[0], beside[1], beside[2], beside[3], alone, right ? "right" : "WRONG");
    std::fflush(stdout);
  }
  return right;
}

int run(const Arguments& arguments) {
  int rank = 0;
  int ranks = 0;
  int devices = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  require(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  require(cudaSetDevice(rank % devices), "cudaSetDevice");
  Kernel kernel;
  if (rank == 0) {
    std::printf("# %d ranks on %d GPUs, microseconds\n#%8s | %27s | %19s | %26s |\n#%8s | %9s %9s %7s | %9s %9s | %s\n",
                ranks, devices, "bytes", "start and wait", "beside a kernel", "until both have ended", "", "native",
                "AIRamp", "ratio", "native", "AIRamp", " native AIRamp of the kernel");
  }
  bool right = true;
  for (const int bytes : arguments.bytes) right = measure(arguments, bytes, kernel) && right;
  return right ? 0 : 1;
}

}  // namespace
}  // namespace airamp::benchmark

int main(int argc, char** argv) {
  using namespace airamp::benchmark;
  Arguments arguments;
  CLI::App app("Nonblocking allreduces on device memory, natively and by AIRamp.");
  app.add_option("--bytes-list", arguments.bytes, "Bytes of a rank's vector; multiples of 8.")
      ->delimiter(',')
      ->check(CLI::Range(8, 1 << 28))
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
    std::fprintf(stderr, "device_starts: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
