// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Buffers in memory that the rank did not get from cudaMalloc on its current device.
#include <array>
#include <cstring>

#include "mpitests/real_device/buffer.hpp"
#include "mpitests/real_device/device_memory.hpp"
#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"
#include "mpitests/real_device/neighbours/mapped_memory.hpp"
#include "mpitests/real_device/neighbours/sum.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr std::size_t elements = 1U << 18U;
constexpr std::size_t bytes = elements * sizeof(float);

/// Memory of another process's, opened here.
class ImportedMemory {
 public:
  explicit ImportedMemory(const cudaIpcMemHandle_t& handle) {
    require(cudaIpcOpenMemHandle(&data_, handle, cudaIpcMemLazyEnablePeerAccess), "cudaIpcOpenMemHandle");
  }
  ~ImportedMemory() { require(cudaIpcCloseMemHandle(data_), "cudaIpcCloseMemHandle"); }
  ImportedMemory(const ImportedMemory&) = delete;
  ImportedMemory& operator=(const ImportedMemory&) = delete;

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

using Handles = std::array<cudaIpcMemHandle_t, 2>;

// What the next rank has exported.
Handles exchange(const Job& job, const DeviceMemory& send, const DeviceMemory& receive) {
  Handles own{};
  Handles others{};
  require(cudaIpcGetMemHandle(&own[0], send.data()), "cudaIpcGetMemHandle");
  require(cudaIpcGetMemHandle(&own[1], receive.data()), "cudaIpcGetMemHandle");
  MPI_Sendrecv(own.data(), sizeof own, MPI_BYTE, (job.rank + job.ranks - 1) % job.ranks, 0, others.data(),
               sizeof others, MPI_BYTE, (job.rank + 1) % job.ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return others;
}

std::string current_device_left_alone(int device) {
  int current = -1;
  require(cudaGetDevice(&current), "cudaGetDevice");
  return current == device ? "" : "the current device was changed";
}

}  // namespace

Outcome imported_memory(const Job& job) {
  Outcome outcome;
  const DeviceMemory send(bytes);
  const DeviceMemory receive(bytes);
  const Handles handles = exchange(job, send, receive);
  {
    const ImportedMemory imported_send(handles[0]);
    const ImportedMemory imported_receive(handles[1]);
    Deadline::doing("MPI_Allreduce on memory of another process");
    outcome.mistake = Sum(job, imported_send.data(), imported_receive.data(), elements).settle();
  }
  // Nobody frees what another process still has open.
  MPI_Barrier(MPI_COMM_WORLD);
  return outcome;
}

Outcome mapped_memory(const Job& job) {
  Outcome outcome;
  const MappedMemory send(job.device, bytes);
  const MappedMemory receive(job.device, bytes);
  Deadline::doing("MPI_Allreduce on memory from cuMemMap");
  outcome.mistake = Sum(job, send.data(), receive.data(), elements).settle();
  return outcome;
}

Outcome kinds_of_memory(const Job& job) {
  Outcome outcome;
  for (std::size_t kind = 0; kind < places * places; ++kind) {
    const auto send_place = static_cast<Place>(kind / places);
    const auto receive_place = static_cast<Place>(kind % places);
    const Buffer send(send_place, bytes, 0);
    const Buffer receive(receive_place, bytes, 0);
    Deadline::doing("MPI_Allreduce on buffers of two kinds");
    Sum sum(job, send.data(), receive.data(), elements);
    std::string mistake = sum.settle();
    if (!send.guards_intact() || !receive.guards_intact()) keep_first(mistake, "memory beside a buffer was written to");
    if (!mistake.empty()) outcome.mistake = mistake + ", " + to_string(send_place) + " to " + to_string(receive_place);
    if (any_mistake(outcome.mistake)) break;
  }
  return outcome;
}

Outcome other_device(const Job& job) {
  Outcome outcome;
  const int other = (job.device + 1) % job.devices;
  require(cudaSetDevice(other), "cudaSetDevice");
  {
    const DeviceMemory send(bytes);
    const DeviceMemory receive(bytes);
    Sum sum(job, send.data(), receive.data(), elements);
    for (int i = 0; i < 40; ++i) {
      sum.fill();
      require(cudaSetDevice(job.device), "cudaSetDevice");
      Deadline::doing("MPI_Allreduce on memory of a GPU that is not the current one");
      keep_first(outcome.mistake, sum.reduce());
      keep_first(outcome.mistake, current_device_left_alone(job.device));
      require(cudaSetDevice(other), "cudaSetDevice");
      keep_first(outcome.mistake, sum.check());
    }
  }
  require(cudaSetDevice(job.device), "cudaSetDevice");
  return outcome;
}

Outcome several_devices(const Job& job) {
  Outcome outcome;
  for (int turn = 0; turn < 3 * job.devices; ++turn) {
    const int device = (job.device + turn) % job.devices;
    require(cudaSetDevice(device), "cudaSetDevice");
    const DeviceMemory send(bytes);
    const DeviceMemory receive(bytes);
    Deadline::doing("MPI_Allreduce on one GPU after the other");
    keep_first(outcome.mistake, Sum(job, send.data(), receive.data(), elements).settle());
    keep_first(outcome.mistake, current_device_left_alone(device));
  }
  require(cudaSetDevice(job.device), "cudaSetDevice");
  return outcome;
}

Outcome peer_access(const Job& job) {
  Outcome outcome;
  const DeviceMemory send(bytes);
  const DeviceMemory receive(bytes);
  Sum sum(job, send.data(), receive.data(), elements);
  outcome.mistake = sum.settle();
  for (const bool enable : {true, false}) {
    for (int step = 1; step < job.devices; ++step) {
      const int peer = (job.device + step) % job.devices;
      const cudaError_t status = enable ? cudaDeviceEnablePeerAccess(peer, 0) : cudaDeviceDisablePeerAccess(peer);
      const char* what = enable ? "cudaDeviceEnablePeerAccess: " : "cudaDeviceDisablePeerAccess: ";
      if (status != cudaSuccess) keep_first(outcome.mistake, std::string(what) + cudaGetErrorString(status));
      cudaGetLastError();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    Deadline::doing("MPI_Allreduce after the application has changed the access to peers");
    keep_first(outcome.mistake, sum.settle());
  }
  return outcome;
}

}  // namespace airamp::gpu_tests
