// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Messages of many lengths, and of lengths that differ from rank to rank.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "mpitests/real_device/buffer.hpp"
#include "mpitests/real_device/device_memory.hpp"
#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"
#include "mpitests/real_device/neighbours/sum.hpp"

namespace airamp::gpu_tests {

Outcome sums(const Job& job) {
  Outcome outcome;
  Deadline::doing("MPI_Allreduce of growing sizes");
  for (const std::size_t bytes :
       {8U, 4U << 10U, 64U << 10U, 256U << 10U, 1U << 20U, 4U << 20U, 16U << 20U, 64U << 20U}) {
    const DeviceMemory send(bytes);
    const DeviceMemory receive(bytes);
    outcome.mistake = Sum(job, send.data(), receive.data(), bytes / sizeof(float)).settle();
    if (!outcome.mistake.empty()) outcome.mistake += ", of " + std::to_string(bytes) + " bytes";
    if (any_mistake(outcome.mistake)) return outcome;
  }
  outcome.figures = "8 B to 64 MiB";
  return outcome;
}

// The standard wants the same length on all ranks; MPI libraries carry what the root has, and codes live by that.
Outcome bcast_lengths(const Job& job) {
  constexpr int calls = 30;
  constexpr std::byte sent{7};
  constexpr std::byte rubbish{9};
  Outcome outcome;
  for (const int length : {100, 3 << 12, 3 << 18}) {
    const int room = job.rank == 0 ? length : length + length / 8;
    Buffer buffer(Place::device, static_cast<std::size_t>(room), 0);
    const std::vector<std::byte> before(buffer.size(), job.rank == 0 ? sent : rubbish);
    std::vector<std::byte> expected = before;
    std::fill_n(expected.begin(), length, sent);
    std::string mistake;
    for (int i = 0; i < calls; ++i) {
      buffer.write(before);
      Deadline::doing("MPI_Bcast with more room than the root sends");
      keep_first(mistake, text_of(MPI_Bcast(buffer.data(), room, MPI_BYTE, 0, MPI_COMM_WORLD)));
      if (buffer.read() != expected) keep_first(mistake, "wrong bytes arrived");
      if (!buffer.guards_intact()) keep_first(mistake, "bytes were written behind the buffer");
    }
    if (!mistake.empty()) outcome.mistake = mistake + ", of " + std::to_string(length) + " bytes";
    if (any_mistake(outcome.mistake)) return outcome;
  }
  return outcome;
}

}  // namespace airamp::gpu_tests
