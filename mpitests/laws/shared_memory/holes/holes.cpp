// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_holes: elements of derived datatypes with holes, or out of order, through the memory of the host. Ranks
// describe the same words by different types, on each side of a call. What lies in holes stays, and what is sent.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/laws/shared_memory/holes/scattered_elements.hpp"

namespace airamp::laws {
namespace {

/// Until MPI ends.
std::vector<Layout> layouts;

/// Three words in a row, with holes, out of order without any, interleaved with the elements behind it, and one that
/// begins before its own beginning.
void make_layouts() {
  layouts = {row(), layout(28, {4, 8, 20}), layout(12, {8, 0, 4}), layout(12, {0, 16, 32}), layout(20, {-8, 0, 4})};
}

const Layout& layout_of(int number) { return layouts[static_cast<std::size_t>(number) % layouts.size()]; }

constexpr int all_ranks = 77;  // to whom a rank sends that sends the same to all

const Layout& sent_in(int rank, int round) { return layout_of(rank * 2 + round); }
const Layout& received_in(int rank, int round) { return layout_of(rank * 3 + round / 2 + 1); }

/// The root describes what it broadcasts as it is; the others as they like.
void bcast(int count, int round, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int root = round % size_of(comm);
  Memory data(sent_in(rank, round), count);
  Memory expected = data;
  expected.put(0, count, root, all_ranks, round);
  if (rank == root) data = expected;
  MPI_Bcast(data.at(0), count, data.type(), root, comm);
  require(data == expected, "what the root has");
}

void allgather(int count, int round, bool in_place, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  Memory send(sent_in(rank, round), count);
  send.put(0, count, rank, all_ranks, round);
  const Memory sent = send;
  Memory receive(received_in(rank, round), ranks * count);
  Memory expected = receive;
  for (int from = 0; from < ranks; ++from) expected.put(from * count, count, from, all_ranks, round);
  if (in_place) receive.put(rank * count, count, rank, all_ranks, round);
  MPI_Allgather(in_place ? MPI_IN_PLACE : send.at(0), count, send.type(), receive.at(0), count, receive.type(), comm);
  require(receive == expected, "what all send");
  require(send == sent, "what is sent stays");
}

/// Not on one rank, where MPICH 4.0 overlooks displacements. All ranks describe what they get by one type: MPICH sends
/// long blocks in pieces of so many elements as its extent says.
void allgatherv(int longest, int round, bool in_place, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  if (ranks == 1) return;
  const auto count = [&](int from) { return count_of(longest, from, all_ranks, round); };
  const Blocks blocks = blocks_of(ranks, count);
  Memory send(sent_in(rank, round), count(rank));
  send.put(0, count(rank), rank, all_ranks, round);
  Memory receive(received_in(0, round), blocks.elements);
  Memory expected = receive;
  for (int from = 0; from < ranks; ++from) put(expected, blocks, from, from, all_ranks, round);
  if (in_place) put(receive, blocks, rank, rank, all_ranks, round);
  MPI_Allgatherv(in_place ? MPI_IN_PLACE : send.at(0), count(rank), send.type(), receive.at(0), blocks.counts.data(),
                 blocks.places.data(), receive.type(), comm);
  require(receive == expected, "what all send, of their lengths");
}

void alltoall(int count, int round, bool in_place, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  Memory send(sent_in(rank, round), ranks * count);
  Memory receive(received_in(rank, round), ranks * count);
  Memory expected = receive;
  for (int peer = 0; peer < ranks; ++peer) {
    (in_place ? receive : send).put(peer * count, count, rank, peer, round);
    expected.put(peer * count, count, peer, rank, round);
  }
  MPI_Alltoall(in_place ? MPI_IN_PLACE : send.at(0), count, send.type(), receive.at(0), count, receive.type(), comm);
  require(receive == expected, "what each sends to this rank");
}

struct Exchanged {
  Blocks to;
  Blocks from;
  Memory send;
  Memory receive;
  Memory expected;
};

Exchanged exchanged(int longest, int round, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  const Blocks to = blocks_of(ranks, [&](int peer) { return count_of(longest, rank, peer, round); });
  const Blocks from = blocks_of(ranks, [&](int peer) { return count_of(longest, peer, rank, round); });
  Memory send(sent_in(rank, round), to.elements);
  Memory receive(received_in(rank, round), from.elements);
  Memory expected = receive;
  for (int peer = 0; peer < ranks; ++peer) {
    put(send, to, peer, rank, peer, round);
    put(expected, from, peer, peer, rank, round);
  }
  return {.to = to, .from = from, .send = send, .receive = receive, .expected = expected};
}

void alltoallv(int longest, int round, MPI_Comm comm) {
  Exchanged all = exchanged(longest, round, comm);
  MPI_Alltoallv(all.send.at(0), all.to.counts.data(), all.to.places.data(), all.send.type(), all.receive.at(0),
                all.from.counts.data(), all.from.places.data(), all.receive.type(), comm);
  require(all.receive == all.expected, "the block of every rank for this one");
}

/// Not on one rank, where Open MPI 4.1 takes displacements for elements.
void alltoallw(int longest, int round, MPI_Comm comm) {
  if (size_of(comm) == 1) return;
  Exchanged all = exchanged(longest, round, comm);
  for (int& place : all.to.places) place *= all.send.extent();
  for (int& place : all.from.places) place *= all.receive.extent();
  const std::vector<MPI_Datatype> sent(all.to.counts.size(), all.send.type());
  const std::vector<MPI_Datatype> received(all.from.counts.size(), all.receive.type());
  MPI_Alltoallw(all.send.at(0), all.to.counts.data(), all.to.places.data(), sent.data(), all.receive.at(0),
                all.from.counts.data(), all.from.places.data(), received.data(), comm);
  require(all.receive == all.expected, "the block of every rank for this one");
}

void gather(int count, int round, bool in_place, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  const int root = round % ranks;
  Memory send(sent_in(rank, round), count);
  send.put(0, count, rank, root, round);
  if (rank != root) {
    MPI_Gather(send.at(0), count, send.type(), nullptr, -1, MPI_DATATYPE_NULL, root, comm);
    return;
  }
  Memory receive(received_in(rank, round), ranks * count);
  Memory expected = receive;
  for (int from = 0; from < ranks; ++from) expected.put(from * count, count, from, root, round);
  if (in_place) receive.put(rank * count, count, rank, root, round);
  MPI_Gather(in_place ? MPI_IN_PLACE : send.at(0), count, send.type(), receive.at(0), count, receive.type(), root,
             comm);
  require(receive == expected, "what all send to the root");
}

void scatter(int count, int round, bool in_place, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  const int root = round % ranks;
  Memory receive(received_in(rank, round), count);
  Memory expected = receive;
  expected.put(0, count, root, rank, round);
  if (rank != root) {
    MPI_Scatter(nullptr, -1, MPI_DATATYPE_NULL, receive.at(0), count, receive.type(), root, comm);
    require(receive == expected, "this rank's block");
    return;
  }
  Memory send(sent_in(rank, round), ranks * count);
  for (int to = 0; to < ranks; ++to) send.put(to * count, count, root, to, round);
  MPI_Scatter(send.at(0), count, send.type(), in_place ? MPI_IN_PLACE : receive.at(0), count, receive.type(), root,
              comm);
  require(in_place || receive == expected, "the root's own block");
}

void gatherv(int longest, int round, bool in_place, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  const int root = round % ranks;
  const auto count = [&](int from) { return count_of(longest, from, root, round); };
  Memory send(sent_in(rank, round), count(rank));
  send.put(0, count(rank), rank, root, round);
  if (rank != root) {
    MPI_Gatherv(send.at(0), count(rank), send.type(), nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, root, comm);
    return;
  }
  const Blocks blocks = blocks_of(ranks, count);
  Memory receive(received_in(rank, round), blocks.elements);
  Memory expected = receive;
  for (int from = 0; from < ranks; ++from) put(expected, blocks, from, from, root, round);
  if (in_place) put(receive, blocks, rank, rank, root, round);
  MPI_Gatherv(in_place ? MPI_IN_PLACE : send.at(0), count(rank), send.type(), receive.at(0), blocks.counts.data(),
              blocks.places.data(), receive.type(), root, comm);
  require(receive == expected, "the block of every rank");
}

void scatterv(int longest, int round, bool in_place, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  const int root = round % ranks;
  const auto count = [&](int to) { return count_of(longest, root, to, round); };
  Memory receive(received_in(rank, round), count(rank));
  Memory expected = receive;
  expected.put(0, count(rank), root, rank, round);
  if (rank != root) {
    MPI_Scatterv(nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, receive.at(0), count(rank), receive.type(), root, comm);
    require(receive == expected, "this rank's block");
    return;
  }
  const Blocks blocks = blocks_of(ranks, count);
  Memory send(sent_in(rank, round), blocks.elements);
  for (int to = 0; to < ranks; ++to) put(send, blocks, to, root, to, round);
  MPI_Scatterv(send.at(0), blocks.counts.data(), blocks.places.data(), send.type(),
               in_place ? MPI_IN_PLACE : receive.at(0), count(rank), receive.type(), root, comm);
  require(in_place || receive == expected, "the root's own block");
}

/// Rank 0 has so many elements for rank 1, which has room for so many. What fits arrives, and what nobody sends stays
/// as it is. By the MPI library's own function more may go wrong.
void of_another_length(int sent, int room, int round, MPI_Comm comm) {
  const bool imposed = std::getenv("AIRAMP_FORCE") != nullptr;
  const int rank = rank_in(comm);
  const int ranks = size_of(comm);
  if (!imposed || ranks == 1) return;
  const Blocks to = blocks_of(ranks, [&](int peer) { return rank == 0 && peer == 1 ? sent : 1; });
  const Blocks from = blocks_of(ranks, [&](int peer) { return rank == 1 && peer == 0 ? room : 1; });
  Memory send(sent_in(rank, round), to.elements);
  Memory receive(received_in(rank, round), from.elements);
  Memory expected = receive;
  for (int peer = 0; peer < ranks; ++peer) {
    put(send, to, peer, rank, peer, round);
    expected.put(from.places[static_cast<std::size_t>(peer)], 1, peer, rank, round);
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int error = MPI_Alltoallv(send.at(0), to.counts.data(), to.places.data(), send.type(), receive.at(0),
                                  from.counts.data(), from.places.data(), receive.type(), comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  require(error == (rank == 1 && sent > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "the receiver's error");
  require(receive == expected, "what fits, and nothing beside it");
}

/// Pairs, whose predefined types have holes too.
void pairs(int count, int round, MPI_Comm comm) {
  struct Pair {
    double number;
    int rank;
    std::int32_t hole;
  };
  const int ranks = size_of(comm);
  const auto pair = [&](int from, int i) {
    return Pair{.number = from + i * 0.5 + round, .rank = from, .hole = rank_in(comm) + 1};
  };
  const auto alike = [](const Pair& a, const Pair& b) {
    return a.number == b.number && a.rank == b.rank && a.hole == b.hole;
  };
  std::vector<Pair> send;
  for (int i = 0; i < count; ++i) send.push_back(pair(rank_in(comm), i));
  const Pair nothing{.number = 0, .rank = -1, .hole = rank_in(comm) + 1};
  std::vector<Pair> receive(static_cast<std::size_t>(ranks * count), nothing);
  MPI_Allgather(send.data(), count, MPI_DOUBLE_INT, receive.data(), count, MPI_DOUBLE_INT, comm);
  for (int i = 0; i < ranks * count; ++i) {
    require(alike(receive[static_cast<std::size_t>(i)], pair(i / count, i % count)), "a pair of every rank");
  }
  MPI_Bcast(send.data(), count, MPI_DOUBLE_INT, round % ranks, comm);
  for (int i = 0; i < count; ++i) {
    require(alike(send[static_cast<std::size_t>(i)], pair(round % ranks, i)), "a pair of the root's");
  }
}

/// Absolute addresses, with a hole between what lies there.
void absolute(int round, MPI_Comm comm) {
  std::array<Word, 3> data{-1, -1, -1};
  std::array<MPI_Aint, 2> addresses{};
  MPI_Get_address(&data[2], &addresses[0]);
  MPI_Get_address(&data[0], &addresses[1]);
  const CommittedDatatype type(
      [&](MPI_Datatype* made) { MPI_Type_create_hindexed_block(2, 1, addresses.data(), MPI_INT32_T, made); });
  const int root = round % size_of(comm);
  if (rank_in(comm) == root) data = {round, -1, round + 1};
  MPI_Bcast(MPI_BOTTOM, 1, type.get(), root, comm);
  require(data[0] == round && data[1] == -1 && data[2] == round + 1, "what lies at the addresses");
}

/// The same in an exchange, behind one of numbers whose addresses are not absolute: all that a call tells of itself
/// before its elements are looked at is alike.
void absolute_alltoallw(int round, MPI_Comm comm) {
  const auto ranks = static_cast<std::size_t>(size_of(comm));
  const std::vector<int> ones(ranks, 1);
  const std::vector<int> zeros(ranks, 0);
  std::vector<Word> given(ranks, round + rank_in(comm));
  std::vector<Word> taken(ranks, -1);
  std::vector<int> begins(ranks);
  for (std::size_t i = 0; i < ranks; ++i) begins[i] = static_cast<int>(i * sizeof(Word));
  const auto all_came = [&] {
    for (std::size_t i = 0; i < ranks; ++i) require(taken[i] == round + static_cast<Word>(i), "a number of each rank");
    std::fill(taken.begin(), taken.end(), -1);
  };
  const std::vector<MPI_Datatype> numbers(ranks, MPI_INT32_T);
  MPI_Alltoallw(given.data(), ones.data(), begins.data(), numbers.data(), taken.data(), ones.data(), begins.data(),
                numbers.data(), comm);
  all_came();
  std::deque<CommittedDatatype> made;
  std::vector<MPI_Datatype> types;
  for (std::vector<Word>* const data : {&given, &taken}) {
    for (Word& number : *data) {
      MPI_Aint address = 0;
      MPI_Get_address(&number, &address);
      made.emplace_back([&](MPI_Datatype* type) { MPI_Type_create_hindexed_block(1, 1, &address, MPI_INT32_T, type); });
      types.push_back(made.back().get());
    }
  }
  MPI_Alltoallw(MPI_BOTTOM, ones.data(), zeros.data(), types.data(), MPI_BOTTOM, ones.data(), zeros.data(),
                types.data() + ranks, comm);
  all_came();
}

/// A type that is not committed is every rank's error, and the next call is as any other.
void not_committed(int round, MPI_Comm comm) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT32_T, &type);
  std::array<Word, 3> data{};
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int error = MPI_Bcast(data.data(), 1, type, round % size_of(comm), comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&type);
  int kind = MPI_SUCCESS;
  MPI_Error_class(error, &kind);
  require(kind == MPI_ERR_TYPE, "an error about the type");
}

}  // namespace

void run() {
  make_layouts();
  int round = 0;
  on_communicators([&](MPI_Comm comm) {
    for (const int count : {1, 7, 341, 1365, 20011}) {
      for (int i = 0; i < 5; ++i) {
        bcast(count, ++round, comm);
        alltoallv(count, ++round, comm);
        alltoallw(count, ++round, comm);
        pairs(count, ++round, comm);
        not_committed(++round, comm);
        absolute(++round, comm);
        absolute_alltoallw(++round, comm);
        for (const bool in_place : {false, true}) {
          allgather(count, ++round, in_place, comm);
          allgatherv(count, ++round, in_place, comm);
          alltoall(count, ++round, in_place, comm);
          gather(count, ++round, in_place, comm);
          scatter(count, ++round, in_place, comm);
          gatherv(count, ++round, in_place, comm);
          scatterv(count, ++round, in_place, comm);
        }
      }
    }
    for (int i = 0; i < 5; ++i) {
      for (const int count : {349525, 349526}) bcast(count, ++round, comm);  // 4 MiB, and more
      of_another_length(2, 1, ++round, comm);
      of_another_length(1, 2, ++round, comm);
    }
  });
  for (int i = 0; i < 200; ++i) allgatherv(i % 40, i, i % 3 == 0, MPI_COMM_WORLD);
  layouts.clear();
}

}  // namespace airamp::laws
