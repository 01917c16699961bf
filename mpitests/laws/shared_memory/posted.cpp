// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_posted: short broadcasts whose roots leave them for the others. To run with AIRAMP_FORCE=shared-memory.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <random>
#include <thread>
#include <vector>

#include "mpitests/committed_datatype.hpp"
#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/bytes.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t longest = 9000;  // longer than what is left for others

/// What `root` sends in a round, and as much again that nobody sends.
Bytes sent(int root, int round, std::size_t bytes) {
  Bytes all(2 * bytes, untouched);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = byte_of(root, round, i);
  return all;
}

void broadcast(int root, int round, std::size_t bytes, MPI_Comm communicator) {
  const Bytes expected = sent(root, round, bytes);
  Bytes buffer = rank_in(communicator) == root ? expected : Bytes(2 * bytes, untouched);
  MPI_Bcast(buffer.data(), static_cast<int>(bytes), MPI_BYTE, root, communicator);
  require(buffer == expected, "what the root sends, and nothing beside it");
}

void sum(MPI_Comm communicator) {
  int one = 1;
  int ranks = 0;
  MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, communicator);
  require(ranks == size_of(communicator), "a sum");
}

/// The ranks agree on broadcasts of all lengths that can be left for others.
void agree(MPI_Comm communicator) {
  for (int i = 0; i < 3; ++i) {
    for (std::size_t bytes = 1; bytes <= 4096; bytes *= 2) broadcast(0, i, bytes, communicator);
  }
}

/// A communicator of all ranks on which they have agreed.
class Duplicate {
 public:
  Duplicate() {
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
    agree(communicator_);
  }
  ~Duplicate() { MPI_Comm_free(&communicator_); }
  Duplicate(const Duplicate&) = delete;
  Duplicate& operator=(const Duplicate&) = delete;

  MPI_Comm get() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

/// Any length and root, between other collectives.
void any_lengths(MPI_Comm communicator) {
  std::mt19937 random(7);  // the same on all ranks
  for (int round = 0; round < 2000; ++round) {
    const int root = static_cast<int>(random() % static_cast<unsigned>(size_of(communicator)));
    const bool is_short = random() % 4 != 0;
    broadcast(root, round, random() % (is_short ? 100 : longest), communicator);
    if (random() % 50 == 0) sum(communicator);
  }
}

/// How many broadcasts a root may be ahead of the others: in Open MPI any number, as far as MPI_Send goes, in MPICH at
/// times none, so that there they are as many as are left for the others.
#if defined(OPEN_MPI)
constexpr int ahead = 300;
#else
constexpr int ahead = 12;
#endif

/// The root does many broadcasts before the others come, which wait for a message that it sends afterwards.
void far_ahead(int root, MPI_Comm communicator) {
  const bool leads = rank_in(communicator) == root;
  if (!leads) MPI_Recv(nullptr, 0, MPI_CHAR, root, 3, communicator, MPI_STATUS_IGNORE);
  for (int round = 0; round < ahead; ++round) {
    broadcast(root, round, static_cast<std::size_t>(1 + round % 60), communicator);
  }
  if (!leads) return;
  for (int rank = 0; rank < size_of(communicator); ++rank) {
    if (rank != root) MPI_Send(nullptr, 0, MPI_CHAR, rank, 3, communicator);
  }
}

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

/// The root frees a communicator while others have not taken what it left there.
void freed_early() {
  for (int i = 0; i < 20; ++i) {
    const Duplicate all;
    if (rank_in(all.get()) != 0) std::this_thread::sleep_for(std::chrono::microseconds(100 * i));
    for (int round = 0; round < 5; ++round) broadcast(0, round, 8, all.get());
  }
}

/// MPI_Pcontrol is each rank's own.
void switched_off() {
  for (const int off : {0, 1}) {
    if (rank_in(MPI_COMM_WORLD) == off) MPI_Pcontrol(0);
    for (int round = 0; round < 100; ++round) broadcast(round % 3 == 0 ? 1 : 0, round, 24, MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == off) MPI_Pcontrol(1);
  }
}

}  // namespace

void run() {
  on_communicators([&](MPI_Comm communicator) {
    agree(communicator);
    any_lengths(communicator);
  });
  more_room();
  less_room();
  freed_early();
  switched_off();
  const Duplicate all;
  for (int root = 0; root < size_of(all.get()); ++root) {
    far_ahead(root, all.get());
    sum(all.get());
    any_lengths(all.get());
  }
}

}  // namespace airamp::laws
