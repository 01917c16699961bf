// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_posted_lengths: short broadcasts and scatters whose roots leave them for others that have more room or
// less, of which an MPI library makes what it likes. To run with AIRAMP_FORCE=shared-memory.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "mpitests/committed_datatype.hpp"
#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/posted_calls.hpp"

namespace airamp::laws {
namespace {

/// Elements of so many bytes, with a gap up to the next one.
auto with_gap(int bytes, MPI_Aint extent) {
  return [=](MPI_Datatype* made) {
    MPI_Datatype dense = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(bytes, MPI_BYTE, &dense);
    MPI_Type_create_resized(dense, 0, extent, made);
    MPI_Type_free(&dense);
  };
}

/// Receivers that offer more room, whole elements or not, with gaps between their bytes.
void more_room() {
  const Duplicate all;
  const CommittedDatatype three_of_four(with_gap(3, 4));
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

int class_of(int error) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(error, &error_class);
  return error_class;
}

/// Receivers that have less room: an error for them, and what comes after is right.
void less_room() {
  const Duplicate all;
  MPI_Comm_set_errhandler(all.get(), MPI_ERRORS_RETURN);
  const bool sends = rank_in(all.get()) == 0;
  Bytes buffer = sends ? sent(0, 3, 64) : Bytes(128, untouched);
  const int error = MPI_Bcast(buffer.data(), sends ? 64 : 40, MPI_BYTE, 0, all.get());
  require(class_of(error) == (sends ? MPI_SUCCESS : MPI_ERR_TRUNCATE), "MPI_ERR_TRUNCATE for want of room");
  require(sends || std::all_of(buffer.begin() + 40, buffer.end(), [](std::byte byte) { return byte == untouched; }),
          "nothing beyond the room");
  for (int round = 0; round < 40; ++round) broadcast(0, round, 64, all.get());
}

/// MPI_Scatter of so many bytes to each rank, or the same by MPI_Scatterv.
using ScatterBytes = int (*)(const Bytes& all, int bytes, void* own, int room, MPI_Datatype type, int root,
                             MPI_Comm communicator);

int evenly(const Bytes& all, int bytes, void* own, int room, MPI_Datatype type, int root, MPI_Comm communicator) {
  const bool sends = rank_in(communicator) == root;
  return sends ? MPI_Scatter(all.data(), bytes, MPI_BYTE, own, room, type, root, communicator)
               : MPI_Scatter(nullptr, 0, MPI_BYTE, own, room, type, root, communicator);
}

int by_counts(const Bytes& all, int bytes, void* own, int room, MPI_Datatype type, int root, MPI_Comm communicator) {
  const bool sends = rank_in(communicator) == root;
  std::vector<int> counts(static_cast<std::size_t>(size_of(communicator)), bytes);
  std::vector<int> displacements;
  for (int rank = 0; rank < size_of(communicator); ++rank) displacements.push_back(rank * bytes);
  return sends ? MPI_Scatterv(all.data(), counts.data(), displacements.data(), MPI_BYTE, own, room, type, root,
                              communicator)
               : MPI_Scatterv(nullptr, nullptr, nullptr, MPI_BYTE, own, room, type, root, communicator);
}

/// The same of scatters: each rank has some room for its block, at the root too if `root_has_less`.
void room_for_blocks(ScatterBytes scatter_bytes, bool root_has_less) {
  const Duplicate all;
  MPI_Comm_set_errhandler(all.get(), MPI_ERRORS_RETURN);
  const auto rank = static_cast<std::size_t>(rank_in(all.get()));
  constexpr int block = 24;
  const Bytes sent_to_all = sent(0, 5, static_cast<std::size_t>(block * size_of(all.get())));
  for (const int others_room : {64, 24, 23, 16, 1, 64}) {
    Bytes own(64, untouched);
    const int room = rank == 0 && !root_has_less ? block : others_room;
    const int error_class = class_of(scatter_bytes(sent_to_all, block, own.data(), room, MPI_BYTE, 0, all.get()));
    require(error_class == (room < block ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "an error for want of room alone");
    Bytes expected(64, untouched);
    std::copy_n(sent_to_all.begin() + static_cast<std::ptrdiff_t>(rank * block), std::min(room, block),
                expected.begin());
    require(own == expected, "this rank's block as far as there is room, and nothing beyond");
  }
  for (int round = 0; round < 40; ++round) scatter(0, round, block, all.get());
}

/// Blocks that go into elements with gaps, and come from elements that have none.
void blocks_with_gaps(ScatterBytes scatter_bytes) {
  const Duplicate all;
  const CommittedDatatype two_of_three(with_gap(2, 3));
  constexpr std::size_t elements = 20;
  const int root = size_of(all.get()) - 1;
  const auto rank = static_cast<std::size_t>(rank_in(all.get()));
  for (int round = 0; round < 40; ++round) {
    const Bytes message = sent(0, round, 2 * elements * static_cast<std::size_t>(size_of(all.get())));
    Bytes expected(3 * elements, untouched);
    for (std::size_t i = 0; i < 2 * elements; ++i) expected[i / 2 * 3 + i % 2] = message[2 * elements * rank + i];
    Bytes gaps(3 * elements, untouched);
    scatter_bytes(message, 2 * elements, gaps.data(), elements, two_of_three.get(), root, all.get());
    require(gaps == expected, "this rank's block, between gaps");
  }
}

#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5

/// The root of an MPI_Scatterv that has too little room for its own block hears of it, or does not, as natively; the
/// others are right. (In MPI_Scatter, Open MPI 5 and MPICH they wait for ever natively.)
void no_room_at_the_root() {
  const Duplicate all;
  MPI_Comm_set_errhandler(all.get(), MPI_ERRORS_RETURN);
  const auto rank = static_cast<std::size_t>(rank_in(all.get()));
  constexpr int block = 24;
  for (int round = 0; round < 40; ++round) {
    const Bytes sent_to_all = sent(0, round, static_cast<std::size_t>(block * size_of(all.get())));
    Bytes own(64, untouched);
    const int room = rank == 0 ? 16 : block;
    const int error_class = class_of(by_counts(sent_to_all, block, own.data(), room, MPI_BYTE, 0, all.get()));
    require(error_class == MPI_SUCCESS || (rank == 0 && error_class == MPI_ERR_TRUNCATE), "no error for others");
    Bytes expected(64, untouched);
    std::copy_n(sent_to_all.begin() + static_cast<std::ptrdiff_t>(rank * block), room, expected.begin());
    require(own == expected, "this rank's block as far as there is room, and nothing beyond");
  }
}

#endif

#if defined(OPEN_MPI)

/// A rank that receives in place, where only the root may, hears of it; the others are right. MPICH by itself does not
/// look at that.
void misplaced(ScatterBytes scatter_bytes) {
  const Duplicate all;
  MPI_Comm_set_errhandler(all.get(), MPI_ERRORS_RETURN);
  const Bytes sent_to_all = sent(0, 6, static_cast<std::size_t>(8 * size_of(all.get())));
  Bytes own(8, untouched);
  const bool is_last = rank_in(all.get()) == size_of(all.get()) - 1;
  void* const to = is_last ? MPI_IN_PLACE : own.data();
  const int error = scatter_bytes(sent_to_all, 8, to, 8, MPI_BYTE, 0, all.get());
  require((error != MPI_SUCCESS) == is_last, "an error for who is wrong alone");
  for (int round = 0; round < 40; ++round) scatter(0, round, 8, all.get());
}

#endif

}  // namespace

void run() {
  more_room();
  less_room();
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
  no_room_at_the_root();
#endif
  for (const ScatterBytes scatter_bytes : {evenly, by_counts}) {
    room_for_blocks(scatter_bytes, scatter_bytes == evenly);
    blocks_with_gaps(scatter_bytes);
#if defined(OPEN_MPI)
    misplaced(scatter_bytes);
#endif
  }
}

}  // namespace airamp::laws
