// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_exchanges: alltoallv, alltoallw, gatherv and scatterv through the memory of the host, with blocks of
// every length and none, with gaps between them, in place where MPI knows it.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/bytes.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

/// The lengths of the blocks that the ranks have for each other, in elements of three bytes.
class Lengths {
 public:
  Lengths(std::size_t longest, int round) : longest_(longest), round_(round) {}

  /// Every rank can say that of every two others: none for some pairs, and the longest for one.
  std::size_t operator()(int from, int to) const {
    const auto mixed = static_cast<std::size_t>(from * 7 + to * 13 + round_ * 5);
    if (mixed % 4 == 0) return 0;
    return mixed % 5 == 1 ? longest_ : longest_ * (mixed % 11) / 11;
  }

 private:
  std::size_t longest_;
  int round_;
};

constexpr std::size_t width = 3;  // bytes of an element
constexpr std::size_t gap = 2;    // elements between two blocks

/// Blocks in one buffer, the last rank's first, with gaps between them.
struct Blocks {
  std::vector<std::byte> bytes;
  std::vector<int> counts;
  std::vector<int> places;  ///< in elements
};

template <class Length>
Blocks blocks_of(int ranks, const Length& length) {
  Blocks blocks;
  blocks.counts.resize(static_cast<std::size_t>(ranks));
  blocks.places.resize(static_cast<std::size_t>(ranks));
  std::size_t next = gap;
  for (int rank = ranks - 1; rank >= 0; --rank) {
    blocks.counts[static_cast<std::size_t>(rank)] = static_cast<int>(length(rank));
    blocks.places[static_cast<std::size_t>(rank)] = static_cast<int>(next);
    next += length(rank) + gap;
  }
  blocks.bytes.assign(next * width, untouched);
  return blocks;
}

/// What rank `from` sends to rank `to`, as block `which` of some.
void put(Blocks& blocks, int which, int from, int to, int round) {
  const auto place = static_cast<std::size_t>(which);
  std::byte* const at = blocks.bytes.data() + static_cast<std::size_t>(blocks.places[place]) * width;
  for (std::size_t i = 0; i < static_cast<std::size_t>(blocks.counts[place]) * width; ++i) {
    at[i] = byte_of(from * 16 + to, round, i);
  }
}

/// The same bytes as elements of one, two or three of them: ranks may describe them differently.
struct Elements {
  explicit Elements(int rank) : of_bytes(rank % 2 == 0) {}
  MPI_Datatype type() const { return of_bytes ? MPI_BYTE : three.get(); }
  std::vector<int> scaled(std::vector<int> numbers) const {
    for (int& number : numbers) number *= of_bytes ? static_cast<int>(width) : 1;
    return numbers;
  }
  CommittedDatatype three{[](MPI_Datatype* type) { MPI_Type_contiguous(3, MPI_BYTE, type); }};
  bool of_bytes;
};

struct Exchanged {
  Blocks send;
  Blocks receive;
  std::vector<std::byte> expected;
};

Exchanged exchanged(std::size_t longest, int round, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  const Lengths length(longest, round);
  Exchanged all;
  all.send = blocks_of(ranks, [&](int to) { return length(rank, to); });
  all.receive = blocks_of(ranks, [&](int from) { return length(from, rank); });
  Blocks expected = all.receive;
  for (int peer = 0; peer < ranks; ++peer) {
    put(all.send, peer, rank, peer, round);
    put(expected, peer, peer, rank, round);
  }
  all.expected = expected.bytes;
  return all;
}

void alltoallv(std::size_t longest, int round, MPI_Comm communicator) {
  Exchanged all = exchanged(longest, round, communicator);
  const std::vector<std::byte> sent = all.send.bytes;
  const Elements send(rank_in(communicator));
  const Elements receive(rank_in(communicator) + 1);
  MPI_Alltoallv(all.send.bytes.data(), send.scaled(all.send.counts).data(), send.scaled(all.send.places).data(),
                send.type(), all.receive.bytes.data(), receive.scaled(all.receive.counts).data(),
                receive.scaled(all.receive.places).data(), receive.type(), communicator);
  require(all.receive.bytes == all.expected, "what the others send, and nothing beside it");
  require(all.send.bytes == sent, "what is sent stays");
}

/// Displacements are in bytes, and every block has a type of its own. Not on one rank, where Open MPI 4.1 takes them
/// for elements.
void alltoallw(std::size_t longest, int round, MPI_Comm communicator) {
  if (size_of(communicator) == 1) return;
  Exchanged all = exchanged(longest, round, communicator);
  const CommittedDatatype three([](MPI_Datatype* type) { MPI_Type_contiguous(3, MPI_BYTE, type); });
  const auto describe = [&](Blocks& blocks, std::vector<MPI_Datatype>& types) {
    for (std::size_t i = 0; i < blocks.counts.size(); ++i) {
      blocks.places[i] *= static_cast<int>(width);
      const bool bytes = (i + static_cast<std::size_t>(round)) % 2 == 0;
      if (bytes) blocks.counts[i] *= static_cast<int>(width);
      types.push_back(bytes ? MPI_BYTE : three.get());
    }
  };
  std::vector<MPI_Datatype> sent;
  std::vector<MPI_Datatype> received;
  describe(all.send, sent);
  describe(all.receive, received);
  MPI_Alltoallw(all.send.bytes.data(), all.send.counts.data(), all.send.places.data(), sent.data(),
                all.receive.bytes.data(), all.receive.counts.data(), all.receive.places.data(), received.data(),
                communicator);
  require(all.receive.bytes == all.expected, "what the others send, of every type, and nothing beside it");
}

/// In place every two ranks send each other as much.
void alltoallv_in_place(std::size_t longest, int round, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  const Lengths length(longest, round);
  Blocks blocks = blocks_of(ranks, [&](int peer) { return length(std::min(rank, peer), std::max(rank, peer)); });
  Blocks expected = blocks;
  for (int peer = 0; peer < ranks; ++peer) {
    put(blocks, peer, rank, peer, round);
    put(expected, peer, peer, rank, round);
  }
  const Elements elements(0);
  MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, blocks.bytes.data(),
                elements.scaled(blocks.counts).data(), elements.scaled(blocks.places).data(), MPI_BYTE, communicator);
  require(blocks.bytes == expected.bytes, "what the others send, in place of what is sent");
}

/// A block of every rank's at the root, and there alone.
struct Rooted {
  Blocks all;
  std::vector<std::byte> own;
  std::size_t count = 0;  ///< of this rank's block
};

Rooted rooted(std::size_t longest, int round, int root, MPI_Comm communicator) {
  const Lengths length(longest, round);
  Rooted data;
  data.count = length(rank_in(communicator), root);
  data.own.assign(data.count * width, untouched);
  data.all = blocks_of(size_of(communicator), [&](int rank) { return length(rank, root); });
  return data;
}

void fill(std::vector<std::byte>& own, int rank, int root, int round) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = byte_of(rank * 16 + root, round, i);
}

void gatherv(std::size_t longest, int round, bool in_place, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const int root = round % size_of(communicator);
  Rooted data = rooted(longest, round, root, communicator);
  fill(data.own, rank, root, round);
  const Elements send(rank);
  const Elements receive(rank + 1);
  const int count = static_cast<int>(data.count) * (send.of_bytes ? static_cast<int>(width) : 1);
  if (rank != root) {
    MPI_Gatherv(data.own.data(), count, send.type(), nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, root, communicator);
    return;
  }
  Blocks expected = data.all;
  for (int from = 0; from < size_of(communicator); ++from) put(expected, from, from, root, round);
  if (in_place) put(data.all, root, root, root, round);
  MPI_Gatherv(in_place ? MPI_IN_PLACE : data.own.data(), count, send.type(), data.all.bytes.data(),
              receive.scaled(data.all.counts).data(), receive.scaled(data.all.places).data(), receive.type(), root,
              communicator);
  require(data.all.bytes == expected.bytes, "the block of every rank, and nothing beside it");
}

void scatterv(std::size_t longest, int round, bool in_place, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const int root = round % size_of(communicator);
  Rooted data = rooted(longest, round, root, communicator);
  std::vector<std::byte> expected(data.own.size());
  fill(expected, rank, root, round);
  const Elements receive(rank);
  const Elements send(rank + 1);
  const int count = static_cast<int>(data.count) * (receive.of_bytes ? static_cast<int>(width) : 1);
  if (rank != root) {
    MPI_Scatterv(nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, data.own.data(), count, receive.type(), root,
                 communicator);
    require(data.own == expected, "this rank's block");
    return;
  }
  for (int to = 0; to < size_of(communicator); ++to) put(data.all, to, to, root, round);
  const std::vector<std::byte> before = data.all.bytes;
  MPI_Scatterv(data.all.bytes.data(), send.scaled(data.all.counts).data(), send.scaled(data.all.places).data(),
               send.type(), in_place ? MPI_IN_PLACE : data.own.data(), count, receive.type(), root, communicator);
  require(data.all.bytes == before, "what is sent stays");
  require(in_place || data.own == expected, "the root's own block");
}

/// A rank that is switched off has the call made natively by all.
void switched_off(int round, MPI_Comm communicator) {
  const bool off = rank_in(communicator) == round % size_of(communicator);
  if (off) MPI_Pcontrol(0);
  alltoallv(50, round, communicator);
  if (off) MPI_Pcontrol(1);
}

/// The receiver's error, and nobody else's; what fits arrives, and the next call is as any other. By the MPI library's
/// own function more may go wrong.
void too_much(int round, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  const bool imposed = std::getenv("AIRAMP_FORCE") != nullptr;
  if (!imposed || ranks == 1) return;
  Blocks send = blocks_of(ranks, [&](int to) { return std::size_t{rank == 0 && to == 1 ? 2U : 1U}; });
  Blocks receive = blocks_of(ranks, [](int) { return std::size_t{1}; });
  Blocks expected = receive;
  for (int peer = 0; peer < ranks; ++peer) {
    put(send, peer, rank, peer, round);
    put(expected, peer, peer, rank, round);
  }
  const Elements elements(0);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  const int error =
      MPI_Alltoallv(send.bytes.data(), elements.scaled(send.counts).data(), elements.scaled(send.places).data(),
                    MPI_BYTE, receive.bytes.data(), elements.scaled(receive.counts).data(),
                    elements.scaled(receive.places).data(), MPI_BYTE, communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_ARE_FATAL);
  require(error == (rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "the receiver's error");
  require(receive.bytes == expected.bytes, "what fits");
}

}  // namespace

void run() {
  int round = 0;
  on_communicators([&](MPI_Comm communicator) {
    for (const std::size_t longest : {0U, 1U, 5U, 341U, 1365U, 21000U, 90001U, 300007U}) {
      for (int i = 0; i < 3; ++i) {
        alltoallv(longest, ++round, communicator);
        alltoallw(longest, ++round, communicator);
        alltoallv_in_place(longest, ++round, communicator);
        for (const bool in_place : {false, true}) {
          gatherv(longest, ++round, in_place, communicator);
          scatterv(longest, ++round, in_place, communicator);
        }
      }
      switched_off(++round, communicator);
      too_much(++round, communicator);
    }
  });
  for (int i = 0; i < 200; ++i) alltoallv(static_cast<std::size_t>(i % 40), i, MPI_COMM_WORLD);
}

}  // namespace airamp::laws
