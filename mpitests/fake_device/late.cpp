// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A rank is late for a collective because it waits for a message that needs the help of a rank that is already there,
// inside the collective. A program may do so: all messages have been started before.
#include <vector>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr int message_bytes = 4 << 20;  // far too much for any MPI library to send ahead
constexpr int tag = 5;

/// Rank 0 is the late one. `sends`: it sends the message.
void run_late(const Vocabulary& vocabulary, bool sends, std::size_t count, int round) {
  std::vector<char> message(message_bytes, static_cast<char>(sends == (rank_in() == 0) ? round : 0));
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank_in() == 0 && sends) MPI_Ssend(message.data(), message_bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
  if (rank_in() == 0 && !sends) {
    MPI_Recv(message.data(), message_bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank_in() == 1 && sends) MPI_Irecv(message.data(), message_bytes, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &request);
  if (rank_in() == 1 && !sends) MPI_Isend(message.data(), message_bytes, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &request);
  run(sum_of(vocabulary, Format::float32, count, round), MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank_in() < 2)
    require(message.front() == static_cast<char>(round) && message.back() == message.front(), "message");
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  {
    const Vocabulary vocabulary;
    for (int round = 1; round <= 12; ++round) {
      for (const std::size_t count : {std::size_t{100}, std::size_t{50000}}) {
        run_late(vocabulary, true, count, round);
        run_late(vocabulary, false, count, round);
      }
    }
  }
  MPI_Finalize();
  return 0;
}
