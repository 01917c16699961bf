// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_posted_lengths: short broadcasts whose roots leave them for others that have more room or less, of
// which an MPI library makes what it likes. To run with AIRAMP_FORCE=shared-memory.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "mpitests/committed_datatype.hpp"
#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/broadcasts.hpp"

namespace airamp::laws {
namespace {

/// Receivers that offer more room, whole elements or not, with gaps between their bytes.
void more_room() {
  const Duplicate all;
  const CommittedDatatype three_of_four([](MPI_Datatype* made) {
    MPI_Datatype three = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(3, MPI_BYTE, &three);
    MPI_Type_create_resized(three, 0, 4, made);
    MPI_Type_free(&three);
  });
  constexpr std::size_t elements = 40;
  for (const std::size_t bytes : std::array<std::size_t, 4>{1, 30, 31, 119}) {
    const Bytes message = sent(0, 1, bytes);
    Bytes expected(4 * elements, untouched);
    for (std::size_t i = 0; i < bytes; ++i) expected[i / 3 * 4 + i % 3] = message[i];
    Bytes gaps(4 * elements, untouched);
    if (rank_in(all.get()) == 0) {
      Bytes buffer = message;
      MPI_Bcast(buffer.data(), static_cast<int>(bytes), MPI_BYTE, 0, all.get());
      continue;
    }
    MPI_Bcast(gaps.data(), elements, three_of_four.get(), 0, all.get());
    require(gaps == expected, "what is sent, between gaps");
  }
  Bytes buffer(200, untouched);
  if (rank_in(all.get()) == 0) buffer = sent(0, 2, 100);
  MPI_Bcast(buffer.data(), rank_in(all.get()) == 0 ? 100 : 200, MPI_BYTE, 0, all.get());
  require(buffer == sent(0, 2, 100), "what is sent, and not the rest of the room");
}

/// Receivers that have less room: an error for them, and what comes after is right.
void less_room() {
  const Duplicate all;
  MPI_Comm_set_errhandler(all.get(), MPI_ERRORS_RETURN);
  const bool sends = rank_in(all.get()) == 0;
  Bytes buffer = sends ? sent(0, 3, 64) : Bytes(128, untouched);
  const int error = MPI_Bcast(buffer.data(), sends ? 64 : 40, MPI_BYTE, 0, all.get());
  int error_class = MPI_SUCCESS;
  MPI_Error_class(error, &error_class);
  require(error_class == (sends ? MPI_SUCCESS : MPI_ERR_TRUNCATE), "MPI_ERR_TRUNCATE for want of room");
  require(sends || std::all_of(buffer.begin() + 40, buffer.end(), [](std::byte byte) { return byte == untouched; }),
          "nothing beyond the room");
  for (int round = 0; round < 40; ++round) broadcast(0, round, 64, all.get());
}

}  // namespace

void run() {
  more_room();
  less_room();
}

}  // namespace airamp::laws
