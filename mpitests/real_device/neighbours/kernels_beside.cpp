// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Kernels of the application's that run on the ranks' GPUs while MPI is called.
#include <thread>

#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"
#include "mpitests/real_device/neighbours/figures.hpp"
#include "mpitests/real_device/neighbours/occupation.hpp"
#include "mpitests/real_device/neighbours/sum.hpp"

namespace airamp::gpu_tests {
namespace {

using namespace std::chrono_literals;

constexpr int rounds = 5;

struct Size {
  std::string text;
  std::size_t bytes;
};

double microseconds_now() { return MPI_Wtime() * 1e6; }

/// A sum in device memory of its own.
struct OwnSum {
  OwnSum(const Job& job, std::size_t bytes)
      : send(bytes), receive(bytes), sum(job, send.data(), receive.data(), bytes / sizeof(float)) {}
  DeviceMemory send;
  DeviceMemory receive;
  Sum sum;
};

// The time of one call in microseconds.
double timed(const Sum& sum) {
  const double begin = microseconds_now();
  sum.reduce();
  return microseconds_now() - begin;
}

// One call while the application's kernel has the GPU, of rank 0 or of all ranks: it must not need the kernel's end.
std::string reduce_beside(const Job& job, Sum& sum, bool everywhere) {
  Occupation kernel;
  sum.fill();
  MPI_Barrier(MPI_COMM_WORLD);
  const bool here = everywhere || job.rank == 0;
  if (here) kernel.start();
  MPI_Barrier(MPI_COMM_WORLD);
  Deadline::doing("MPI_Allreduce beside a kernel that waits for the host");
  std::string mistake = sum.reduce();
  if (here && !kernel.running()) keep_first(mistake, "the call returned only when the kernel had given up");
  Deadline::doing("waiting for the kernel's end");
  kernel.stop();
  keep_first(mistake, sum.check());
  return mistake;
}

}  // namespace

Outcome persistent_kernel(const Job& job) {
  load_kernels();
  Outcome outcome;
  for (const Size& size : {Size{"8 B", 8}, Size{"256 KiB", 256U << 10U}, Size{"4 MiB", 4U << 20U}}) {
    OwnSum own(job, size.bytes);
    keep_first(outcome.mistake, own.sum.settle());
    for (const bool everywhere : {false, true}) {
      if (any_mistake(outcome.mistake)) return outcome;
      outcome.mistake = reduce_beside(job, own.sum, everywhere);
    }
    if (any_mistake(outcome.mistake)) return outcome;
    Occupation kernel;
    const auto beside = [&] {
      kernel.start();
      MPI_Barrier(MPI_COMM_WORLD);
      const double time = timed(own.sum);
      kernel.stop();
      return time;
    };
    add_figure(outcome.figures, size.text + " beside a kernel that waits for the host",
               native_and_airamp(rounds, beside));
    keep_first(outcome.mistake, own.sum.check());
  }
  return outcome;
}

Outcome long_kernel(const Job& job) {
  load_kernels();
  Outcome outcome;
  for (const Size& size : {Size{"8 B", 8}, Size{"256 KiB", 256U << 10U}, Size{"16 MiB", 16U << 20U}}) {
    OwnSum own(job, size.bytes);
    keep_first(outcome.mistake, own.sum.settle());
    if (any_mistake(outcome.mistake)) return outcome;
    const Stream stream;
    const auto beside = [&] {
      launch_occupation(nullptr, 50ms, stream);
      std::this_thread::sleep_for(1ms);
      const double time = timed(own.sum);
      stream.synchronize();
      return time;
    };
    add_figure(outcome.figures, size.text + " alone", native_and_airamp(21, [&] { return timed(own.sum); }));
    add_figure(outcome.figures, size.text + " beside a kernel of 50 ms", native_and_airamp(rounds, beside));
    keep_first(outcome.mistake, own.sum.check());
  }
  return outcome;
}

Outcome waves(const Job& job) {
  load_kernels();
  Outcome outcome;
  for (const Size& size : {Size{"8 B", 8}, Size{"256 KiB", 256U << 10U}}) {
    OwnSum own(job, size.bytes);
    keep_first(outcome.mistake, own.sum.settle());
    if (any_mistake(outcome.mistake)) return outcome;
    const Stream stream;
    const auto beside = [&] {
      launch_waves(100, 500us, stream);
      std::this_thread::sleep_for(2ms);
      const double time = timed(own.sum);
      stream.synchronize();
      return time;
    };
    add_figure(outcome.figures, size.text + " beside 100 waves of 0.5 ms", native_and_airamp(rounds, beside));
    keep_first(outcome.mistake, own.sum.check());
  }
  return outcome;
}

Outcome late_peer(const Job& job) {
  load_kernels();
  Outcome outcome;
  OwnSum own(job, 64U << 20U);
  outcome.mistake = own.sum.settle();
  if (any_mistake(outcome.mistake)) return outcome;
  const DeviceMemory unused(sizeof(float));
  // The time of a kernel of the application's, launched some time after the call has begun.
  const auto kernel_time = [&](Microseconds later) {
    require(cudaSetDevice(job.device), "cudaSetDevice");
    std::this_thread::sleep_for(later);
    const Stream stream;
    const double begin = microseconds_now();
    launch_arithmetic(static_cast<float*>(unused.data()), stream);
    stream.synchronize();
    return microseconds_now() - begin;
  };
  kernel_time(0us);
  const double alone = kernel_time(0us);
  const auto beside = [&] {
    double time = 0;
    std::thread other;
    if (job.rank == 0) other = std::thread([&] { time = kernel_time(20ms); });
    if (job.rank == job.ranks - 1) launch_delay(200ms, nullptr);
    Deadline::doing("MPI_Allreduce with a late rank");
    keep_first(outcome.mistake, own.sum.reduce());
    if (other.joinable()) other.join();
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return time;
  };
  add_figure(outcome.figures,
             "the application's kernel (alone " + to_text(alone) + " us) beside 64 MiB that wait for a late GPU",
             native_and_airamp(3, beside));
  keep_first(outcome.mistake, own.sum.check());
  return outcome;
}

}  // namespace airamp::gpu_tests
