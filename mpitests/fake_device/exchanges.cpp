// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// exchanges lengths|truncated|late|rooted|apart: MPI_Alltoallv and MPI_Alltoallw on device buffers, of whose blocks two
// ranks alone know how long they are. `lengths`: blocks of all kinds of lengths, also where a rank has nothing to send
// or to receive. `truncated`: a rank has less room than another one sends. `late`: one comes late to calls in which
// each gets something from all, and to calls in which it does not. `rooted`: MPI_Gather(v) and MPI_Scatter(v), in place
// and not, by every root. `apart`: a rank that has nothing to do with the others in a call leaves it before they have
// come, for they wait for a message that it sends afterwards.
#include <unistd.h>

#include <string_view>
#include <vector>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr int count = 3000;

/// Blocks of int32 one after the other.
struct Blocks {
  explicit Blocks(std::vector<int> lengths) : counts(std::move(lengths)) {
    for (const int length : counts) {
      displacements.push_back(elements);
      elements += length;
    }
  }
  std::vector<int> counts;
  std::vector<int> displacements;
  int elements = 0;
};

std::int32_t value(int from, int to, int index, int round) { return 1000003 * from + 10007 * to + 17 * index + round; }

/// One call in which rank `from` sends length(from, to) numbers to rank `to`, which has room(from, to) for them.
/// Returns MPI's error code after it has required everything to be right that had room.
template <class Length, class Room>
int exchange(int round, const Length& length, const Room& room) {
  std::vector<int> given;
  std::vector<int> taken;
  for (int other = 0; other < size_of(); ++other) {
    given.push_back(length(rank_in(), other));
    taken.push_back(room(other, rank_in()));
  }
  const Blocks sent(given);
  const Blocks received(taken);
  const Buffer send(Place::device, sizeof(std::int32_t) * static_cast<std::size_t>(sent.elements));
  const Buffer receive(Place::device, sizeof(std::int32_t) * static_cast<std::size_t>(received.elements));
  auto* const numbers = reinterpret_cast<std::int32_t*>(send.host());
  for (int to = 0; to < size_of(); ++to) {
    const auto rank = static_cast<std::size_t>(to);
    for (int i = 0; i < sent.counts[rank]; ++i) numbers[sent.displacements[rank] + i] = value(rank_in(), to, i, round);
  }
  // who has nothing need not have a buffer either
  const void* const from = sent.elements > 0 ? send.data() : nullptr;
  void* const to = received.elements > 0 ? receive.data() : nullptr;
  const int error = MPI_Alltoallv(from, sent.counts.data(), sent.displacements.data(), MPI_INT32_T, to,
                                  received.counts.data(), received.displacements.data(), MPI_INT32_T, MPI_COMM_WORLD);
  require(send.guards_intact() && receive.guards_intact(), "nothing is written beside the buffers");
  const auto* const results = reinterpret_cast<const std::int32_t*>(receive.host());
  for (int other = 0; error == MPI_SUCCESS && other < size_of(); ++other) {
    const auto rank = static_cast<std::size_t>(other);
    for (int i = 0; i < received.counts[rank]; ++i) {
      const bool right = results[received.displacements[rank] + i] == value(other, rank_in(), i, round);
      require(right,
              "call " + std::to_string(round) + ", number " + std::to_string(i) + " of rank " + std::to_string(other));
    }
  }
  return error;
}

void exchange_lengths() {
  for (int round = 0; round < 40; ++round) {
    const auto length = [round](int from, int to) {
      if (round % 4 == 1 && from == round % size_of()) return 0;     // one rank sends nothing
      if (round % 4 == 2 && to == round % size_of()) return 0;       // one receives nothing
      if (round % 4 == 3 && (from + to + round) % 3 != 0) return 0;  // few have to do with each other
      return (count * (1 + (7 * from + 3 * to + round) % 5)) / (round % 7 == 6 ? 300 : 5) + round % 5;
    };
    require(exchange(round, length, length) == MPI_SUCCESS, "success");
  }
}

/// Some call must be carried before the ranks have a place to meet.
void meet() {
  const Vocabulary vocabulary;
  for (int round = 0; round < 8; ++round)
    run(call_of(vocabulary, Kind::alltoall, Format::int32, count, round), MPI_COMM_WORLD);
}

void exchange_too_much() {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int round = 0; round < 12; ++round) {
    const int cramped = round % size_of();
    const int beyond = (cramped + 1) % size_of();
    const auto length = [](int from, int to) { return count + from + to; };
    const auto room = [&](int from, int to) { return length(from, to) - (to == cramped && from == beyond ? 7 : 0); };
    const int error = exchange(round, length, room);
    int error_class = MPI_SUCCESS;
    MPI_Error_class(error, &error_class);
    require(error_class == (rank_in() == cramped ? MPI_ERR_TRUNCATE : MPI_SUCCESS),
            "error " + std::to_string(error_class) + " of rank " + std::to_string(rank_in()));
    require(exchange(round, length, length) == MPI_SUCCESS, "success of the next call");
  }
}

/// For longer than a rank waits for others that natively it does not wait for, at most.
void come_late() {
  constexpr useconds_t long_time = 700000;
  const int last = size_of() - 1;
  const auto all = [](int, int) { return count; };
  const auto some = [last](int from, int) { return from == last ? 0 : count; };
  for (int round = 0; round < 4; ++round) {
    if (rank_in() == last) usleep(long_time);
    const bool to_all = round < 3;
    const int error = to_all ? exchange(round, all, all) : exchange(round, some, some);
    require(error == MPI_SUCCESS, "success");
  }
}

void put(const Buffer& buffer, int first, int from, int to, int given, int round) {
  auto* const data = reinterpret_cast<std::int32_t*>(buffer.host()) + first;
  for (int i = 0; i < given; ++i) data[i] = value(from, to, i, round);
}

void require_numbers(const Buffer& buffer, int first, int from, int to, int given, int round) {
  const auto* const data = reinterpret_cast<const std::int32_t*>(buffer.host()) + first;
  for (int i = 0; i < given; ++i) {
    require(data[i] == value(from, to, i, round), "call " + std::to_string(round) + ", number " + std::to_string(i) +
                                                      " from " + std::to_string(from) + " to " + std::to_string(to));
  }
}

/// `uneven`: MPI_Gatherv and MPI_Scatterv, in which one rank has nothing.
void gather_and_scatter(int root, bool uneven, bool in_place, int round) {
  std::vector<int> lengths;
  for (int rank = 0; rank < size_of(); ++rank) {
    const bool nothing = rank == (root + 1) % size_of() && round % 3 == 0;
    lengths.push_back(!uneven ? count + round : nothing ? 0 : 100 * rank + 7 + round);
  }
  const Blocks blocks(lengths);
  const bool is_root = rank_in() == root;
  const int own = lengths[static_cast<std::size_t>(rank_in())];
  const int first_own = blocks.displacements[static_cast<std::size_t>(rank_in())];
  const Buffer all(Place::device, sizeof(std::int32_t) * static_cast<std::size_t>(is_root ? blocks.elements : 0));
  const Buffer block(Place::device, sizeof(std::int32_t) * static_cast<std::size_t>(own));
  const bool here = is_root && in_place;
  put(here ? all : block, here ? first_own : 0, rank_in(), root, own, round);
  const void* const given = here ? MPI_IN_PLACE : block.data();
  void* const everything = is_root ? all.data() : reinterpret_cast<void*>(8);  // what does not matter may be anything
  if (uneven) {
    MPI_Gatherv(given, own, MPI_INT32_T, everything, blocks.counts.data(), blocks.displacements.data(), MPI_INT32_T,
                root, MPI_COMM_WORLD);
  } else {
    MPI_Gather(given, own, MPI_INT32_T, everything, own, MPI_INT32_T, root, MPI_COMM_WORLD);
  }
  for (int rank = 0; is_root && rank < size_of(); ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    require_numbers(all, blocks.displacements[place], rank, root, lengths[place], round);
    put(all, blocks.displacements[place], root, rank, lengths[place], round);
  }
  void* const taken = here ? MPI_IN_PLACE : block.data();
  if (uneven) {
    MPI_Scatterv(everything, blocks.counts.data(), blocks.displacements.data(), MPI_INT32_T, taken, own, MPI_INT32_T,
                 root, MPI_COMM_WORLD);
  } else {
    MPI_Scatter(everything, own, MPI_INT32_T, taken, own, MPI_INT32_T, root, MPI_COMM_WORLD);
  }
  require_numbers(here ? all : block, here ? first_own : 0, root, rank_in(), own, round);
  require(all.guards_intact() && block.guards_intact(), "nothing is written beside the buffers");
}

void exchange_with_roots() {
  int round = 0;
  for (int turn = 0; turn < 6; ++turn) {
    for (int root = 0; root < size_of(); ++root) {
      for (const bool uneven : {false, true}) {
        for (const bool in_place : {false, true}) gather_and_scatter(root, uneven, in_place, ++round);
      }
    }
  }
}

void leave_first() {
  constexpr int tag = 5;
  const int alone = size_of() - 1;
  const auto length = [alone](int from, int to) { return from == alone || to == alone ? 0 : count; };
  for (int round = 0; round < 60; ++round) {
    if (round % 3 == 0) meet();
    if (rank_in() != alone) MPI_Recv(nullptr, 0, MPI_CHAR, alone, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    require(exchange(round, length, length) == MPI_SUCCESS, "success");
    for (int rank = 0; rank_in() == alone && rank < alone; ++rank)
      MPI_Send(nullptr, 0, MPI_CHAR, rank, tag, MPI_COMM_WORLD);
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what != "apart") meet();
  if (what == "lengths") exchange_lengths();
  if (what == "truncated") exchange_too_much();
  if (what == "late") come_late();
  if (what == "rooted") exchange_with_roots();
  if (what == "apart") leave_first();
  MPI_Finalize();
  return 0;
}
