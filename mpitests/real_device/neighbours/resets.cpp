// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// cudaDeviceReset while MPI still runs, as many codes call it for a profiler's sake.
#include "mpitests/real_device/device_memory.hpp"
#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"
#include "mpitests/real_device/neighbours/driver.hpp"
#include "mpitests/real_device/neighbours/sum.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr std::size_t large = 4U << 20U;  // elements
constexpr std::size_t small = 1000;

// Calls that AIRamp keeps something for; then the device is reset with all that the application had there.
std::string call_and_reset(const Job& job, MPI_Comm communicator) {
  std::string mistake;
  for (const std::size_t count : {small, large}) {
    DeviceMemory send(count * sizeof(float));
    DeviceMemory receive(count * sizeof(float));
    Deadline::doing("collectives before cudaDeviceReset");
    mistake += Sum(job, send.data(), receive.data(), count).settle(communicator);
    // Large buffers are the reset's to free.
    if (count == large) {
      send.forget();
      receive.forget();
    }
  }
  // The others may still read what this rank's context has.
  MPI_Barrier(MPI_COMM_WORLD);
  Deadline::doing("cudaDeviceReset");
  require(cudaDeviceReset(), "cudaDeviceReset");
  return mistake;
}

// Nobody but the application makes contexts, and it has none any more.
std::string contexts_left(const Job& job) {
  for (int device = 0; device < job.devices; ++device) {
    if (primary_context_active(device)) return "GPU " + std::to_string(device) + " has a context after MPI_Finalize";
  }
  return "";
}

}  // namespace

Outcome reset_before_finalize(const Job& job) {
  Outcome outcome;
  outcome.mistake = call_and_reset(job, MPI_COMM_WORLD);
  Deadline::doing("MPI_Finalize after cudaDeviceReset");
  MPI_Finalize();
  outcome.mistake += contexts_left(job);
  return outcome;
}

Outcome reset_before_comm_free(const Job& job) {
  Outcome outcome;
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  outcome.mistake = call_and_reset(job, communicator);
  Deadline::doing("MPI_Comm_free after cudaDeviceReset");
  MPI_Comm_free(&communicator);
  Deadline::doing("MPI_Finalize after cudaDeviceReset");
  MPI_Finalize();
  outcome.mistake += contexts_left(job);
  return outcome;
}

Outcome reset_midway(const Job& job) {
  Outcome outcome;
  for (int round = 0; round < 3; ++round) {
    require(cudaSetDevice(job.device), "cudaSetDevice");
    outcome.mistake = call_and_reset(job, MPI_COMM_WORLD);
    if (any_mistake(outcome.mistake)) {
      outcome.mistake += outcome.mistake.empty() ? "" : ", in round " + std::to_string(round);
      break;
    }
  }
  Deadline::doing("MPI_Finalize after cudaDeviceReset");
  MPI_Finalize();
  outcome.mistake += contexts_left(job);
  return outcome;
}

}  // namespace airamp::gpu_tests
