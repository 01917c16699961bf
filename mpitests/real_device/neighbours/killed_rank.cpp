// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A rank is killed in the middle of a large collective. The others get an error and still have what is on their GPU,
// unless the launcher ends them first.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <thread>
#include <vector>

#include "mpitests/real_device/device_memory.hpp"
#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"
#include "mpitests/real_device/neighbours/sum.hpp"

namespace airamp::gpu_tests {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t bytes = 1U << 30U;
constexpr int settling_calls = 2;

// All of what was sent comes off the GPU, and the GPU has nothing left to do.
bool data_saved(const void* send, unsigned char value) {
  std::vector<unsigned char> copy(bytes);
  if (cudaMemcpy(copy.data(), send, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  return std::all_of(copy.begin(), copy.end(), [=](unsigned char byte) { return byte == value; });
}

}  // namespace

Outcome killed_rank(const Job& job) {
  const DeviceMemory send(bytes);
  const DeviceMemory receive(bytes);
  // Tiny numbers, all of the same bytes.
  const auto value = static_cast<unsigned char>(job.rank % 100 + 1);
  require(cudaMemset(send.data(), value, bytes), "cudaMemset");
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const auto reduce = [&] {
    return text_of(MPI_Allreduce(send.data(), receive.data(), static_cast<int>(bytes / sizeof(float)), MPI_FLOAT,
                                 MPI_SUM, MPI_COMM_WORLD));
  };
  Deadline::doing("MPI_Allreduce of 1 GiB");
  Outcome outcome;
  for (int i = 0; i < settling_calls; ++i) keep_first(outcome.mistake, reduce());
  if (any_mistake(outcome.mistake)) return outcome;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto killed_after = 40ms;
  if (job.rank == job.ranks - 1) {
    std::printf("killed-rank: rank %d will be killed\n", job.rank);
    std::fflush(stdout);
    std::thread([=] {
      std::this_thread::sleep_for(killed_after);
      std::raise(SIGKILL);
    }).detach();
  }
  const Deadline deadline("killed-rank", job.rank, 6s);
  Deadline::doing("MPI_Allreduce of 1 GiB with a killed rank");
  const double begin = MPI_Wtime();
  std::string error;
  while (error.empty()) error = reduce();
  const double seconds = MPI_Wtime() - begin;
  Deadline::doing("copying from the GPU after the error");
  const bool saved = data_saved(send.data(), value);
  std::printf("%skilled-rank, rank %d: after %.1f s %s; its data on the GPU %s\n", saved ? "" : "wrong: ", job.rank,
              seconds, error.c_str(), saved ? "was saved" : "CANNOT BE SAVED");
  std::fflush(stdout);
  // There is no MPI_Finalize without the killed rank.
  _exit(saved ? 0 : 1);
}

}  // namespace airamp::gpu_tests
