// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// contexts [--limit-mib N]: a rank has a context on its own GPU and on no other one, and all its collectives together
// take little device memory. Lists compute processes by nvidia-smi, which must see those of this machine.

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "mpitests/real_device/device.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr std::size_t max_bytes = 64U << 20U;
constexpr double mib = 1048576.0;

/// A process and a GPU that it has a context on.
struct Use {
  std::array<char, 48> gpu{};
  long pid = 0;
};

std::string uuid_of_device() {
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof properties.uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(properties.uuid.bytes[i]));
    text += digits.data();
  }
  return text;
}

// What nvidia-smi lists; empty if it cannot be run.
std::vector<Use> listed_uses() {
  std::vector<Use> uses;
  FILE* listing = popen("nvidia-smi --query-compute-apps=pid,gpu_uuid --format=csv,noheader 2>/dev/null", "r");
  if (listing == nullptr) return uses;
  Use use;
  while (std::fscanf(listing, "%ld , %47s", &use.pid, use.gpu.data()) == 2) uses.push_back(use);
  pclose(listing);
  return uses;
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  // All ranks of a GPU take and give before anyone looks.
  MPI_Barrier(MPI_COMM_WORLD);
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  require(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  MPI_Barrier(MPI_COMM_WORLD);
  return free;
}

// Collectives of many sizes on two communicators.
void make_calls(float* send, float* receive) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (std::size_t bytes = 8; bytes <= max_bytes; bytes *= 4) {
    const auto count = static_cast<int>(bytes / sizeof(float));
    const auto share = std::max(1, count / ranks);
    for (int i = 0; i < 10; ++i) {
      const MPI_Comm communicator = i % 2 == 0 ? MPI_COMM_WORLD : other;
      MPI_Allreduce(send, receive, count, MPI_FLOAT, MPI_SUM, communicator);
      MPI_Allreduce(send, receive, count / 2, MPI_DOUBLE, MPI_MAX, communicator);
      MPI_Allgather(send, share, MPI_FLOAT, receive, share, MPI_FLOAT, communicator);
      MPI_Reduce_scatter_block(send, receive, share, MPI_INT, MPI_SUM, communicator);
      MPI_Bcast(receive, count, MPI_FLOAT, ranks - 1, communicator);
    }
  }
  MPI_Comm_free(&other);
}

// Says what is wrong with the contexts; on rank 0. Returns the number of mistakes.
int judge(const std::vector<Use>& own, const std::vector<Use>& listed) {
  int mistakes = 0;
  bool seen = false;
  for (const Use& mine : own) {
    int right = 0;
    for (const Use& use : listed) {
      if (use.pid != mine.pid) continue;
      seen = true;
      if (std::strcmp(use.gpu.data(), mine.gpu.data()) == 0) {
        ++right;
      } else {
        ++mistakes;
        std::printf("wrong: process %ld works on %s and has a context on %s\n", mine.pid, mine.gpu.data(),
                    use.gpu.data());
      }
    }
    if (seen && right == 0) std::printf("process %ld is not listed on its GPU\n", mine.pid);
  }
  if (!seen) std::printf("nvidia-smi lists no process of this job: contexts cannot be judged here\n");
  return mistakes;
}

int run(double limit_mib) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  void* send = nullptr;
  void* receive = nullptr;
  require(cudaMalloc(&send, max_bytes), "cudaMalloc");
  require(cudaMalloc(&receive, max_bytes), "cudaMalloc");
  require(cudaMemset(send, 0, max_bytes), "cudaMemset");
  const std::size_t before = free_memory();
  make_calls(static_cast<float*>(send), static_cast<float*>(receive));
  const std::size_t after = free_memory();

  Use mine;
  mine.pid = getpid();
  std::snprintf(mine.gpu.data(), mine.gpu.size(), "%s", uuid_of_device().c_str());
  std::vector<Use> own(static_cast<std::size_t>(ranks));
  MPI_Gather(&mine, sizeof mine, MPI_BYTE, own.data(), sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
  int devices = 0;
  require(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  const int sharing = (ranks + devices - 1) / devices;
  double taken = (static_cast<double>(before) - static_cast<double>(after)) / mib / sharing;
  MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  int mistakes = 0;
  if (rank == 0) {
    mistakes = judge(own, listed_uses());
    if (taken > limit_mib) ++mistakes;
    std::printf(
        "contexts: %d ranks on %d GPUs; the collectives took at most %.1f MiB of device memory a rank (limit "
        "%.0f), %d wrong\n",
        ranks, devices, taken, limit_mib, mistakes);
  }
  MPI_Bcast(&mistakes, 1, MPI_INT, 0, MPI_COMM_WORLD);
  require(cudaFree(send), "cudaFree");
  require(cudaFree(receive), "cudaFree");
  return mistakes == 0 ? 0 : 1;
}

}  // namespace
}  // namespace airamp::gpu_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  // Twenty MiB of scratch, and what the driver takes for kernels.
  double limit_mib = 32;
  if (argc == 3 && std::strcmp(argv[1], "--limit-mib") == 0) limit_mib = std::atof(argv[2]);
  const int status = airamp::gpu_tests::use_device() ? airamp::gpu_tests::run(limit_mib) : airamp::gpu_tests::skipped;
  MPI_Finalize();
  return status;
}
