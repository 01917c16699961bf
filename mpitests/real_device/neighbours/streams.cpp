// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What the application has put into a stream before it calls MPI, and what it puts there afterwards.
#include <vector>

#include "mpitests/real_device/application_kernels.hpp"
#include "mpitests/real_device/device_memory.hpp"
#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"
#include "mpitests/real_device/neighbours/occupation.hpp"
#include "mpitests/real_device/neighbours/sum.hpp"

namespace airamp::gpu_tests {
namespace {

using namespace std::chrono_literals;

constexpr int calls = 40;

// Sums of constants that kernels write in `stream` some time after their launch. The host waits for them before it
// calls MPI, or leaves that to MPI. Other streams' work, which starts at once, overwrites what was sent when MPI has
// returned.
std::string sums_of_late_numbers(const Job& job, cudaStream_t stream, bool wait, std::size_t count) {
  const DeviceMemory send(count * sizeof(float));
  const DeviceMemory receive(count * sizeof(float));
  auto* const sent = static_cast<float*>(send.data());
  std::string mistake;
  for (int call = 0; call < calls; ++call) {
    launch_delay(2ms, stream);
    launch_fill(sent, count, static_cast<float>(call + job.rank), stream);
    require(cudaGetLastError(), "a kernel's launch");
    if (wait) require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    Deadline::doing("MPI_Allreduce of what a stream writes");
    keep_first(mistake, text_of(MPI_Allreduce(sent, receive.data(), static_cast<int>(count), MPI_FLOAT, MPI_SUM,
                                              MPI_COMM_WORLD)));
    const Stream other;
    launch_fill(sent, count, -1, other);
    other.synchronize();
    std::vector<float> sums(count);
    copy_bytes(sums.data(), receive.data(), count * sizeof(float));
    const auto expected = static_cast<float>(call * job.ranks + job.ranks * (job.ranks - 1) / 2);
    for (const float sum : sums) {
      if (sum != expected) keep_first(mistake, std::to_string(sum) + " is not " + std::to_string(expected));
    }
  }
  return mistake;
}

Outcome small_and_large(const Job& job, cudaStream_t stream, bool wait) {
  load_kernels();
  Outcome outcome;
  for (const std::size_t count : {std::size_t{100}, std::size_t{1} << 20U}) {
    keep_first(outcome.mistake, sums_of_late_numbers(job, stream, wait, count));
  }
  return outcome;
}

}  // namespace

// The end of a nonblocking call waits for no kernel that has the whole GPU until the host has the result: launched
// behind its start in the default stream, or before it in another one.
Outcome started_beside_kernel(const Job& job) {
  load_kernels();
  Outcome outcome;
  for (const std::size_t count : {std::size_t{8}, std::size_t{1} << 16U}) {
    const DeviceMemory send(count * sizeof(float));
    const DeviceMemory receive(count * sizeof(float));
    Sum sum(job, send.data(), receive.data(), count);
    Occupation behind(Occupation::In::default_stream);
    Occupation before;
    for (int call = 0; call < 2 * calls; ++call) {
      sum.fill();
      Occupation& kernel = call % 2 == 0 ? behind : before;
      if (call >= calls && call % 2 != 0) kernel.start();
      MPI_Request request = MPI_REQUEST_NULL;
      Deadline::doing("MPI_Iallreduce");
      keep_first(outcome.mistake, sum.start(&request));
      if (call >= calls && call % 2 == 0) kernel.start();
      Deadline::doing("MPI_Wait");
      keep_first(outcome.mistake, text_of(MPI_Wait(&request, MPI_STATUS_IGNORE)));
      if (call >= calls && !kernel.running()) keep_first(outcome.mistake, "MPI_Wait has waited for a kernel");
      if (call >= calls) kernel.stop();
      keep_first(outcome.mistake, sum.check());
      if (call == calls - 1) MPI_Barrier(MPI_COMM_WORLD);  // in which the ranks agree on how such calls go
    }
  }
  return outcome;
}

Outcome default_stream(const Job& job) { return small_and_large(job, nullptr, false); }

Outcome default_stream_of_thread(const Job& job) { return small_and_large(job, cudaStreamPerThread, true); }

}  // namespace airamp::gpu_tests
