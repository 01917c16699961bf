// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_again: calls that are made again and again, whose ranks know beforehand what they will say, while what
// they know changes: other lengths, roots and descriptions of the same bytes in between, a rank that is switched off by
// MPI_Pcontrol, another policy of the communicator.
#include <array>
#include <numeric>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

int number_of(int rank, int round, int index) { return rank * 1000 + round * 7 + index; }

/// Of all ranks.
int sum_of(int ranks, int round, int index) {
  int sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += number_of(rank, round, index);
  return sum;
}

std::vector<int> numbers_of(int rank, int round, int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = number_of(rank, round, i);
  return numbers;
}

void allreduce(int count, int round, bool in_place, MPI_Comm communicator) {
  std::vector<int> numbers = numbers_of(rank_in(communicator), round, count);
  std::vector<int> sums(numbers.size(), -1);
  if (in_place) sums = numbers;
  MPI_Allreduce(in_place ? MPI_IN_PLACE : numbers.data(), sums.data(), count, MPI_INT, MPI_SUM, communicator);
  for (int i = 0; i < count; ++i)
    require(sums[static_cast<std::size_t>(i)] == sum_of(size_of(communicator), round, i), "a sum of all");
}

void reduce(int count, int round, bool in_place, MPI_Comm communicator) {
  const int root = round % size_of(communicator);
  const bool is_root = rank_in(communicator) == root;
  in_place = in_place && count < 1000;  // with longer vectors and another root than rank 0 MPICH 4.0 crashes
  std::vector<int> numbers = numbers_of(rank_in(communicator), round, count);
  std::vector<int> sums = numbers;
  MPI_Reduce(in_place && is_root ? MPI_IN_PLACE : numbers.data(), sums.data(), count, MPI_INT, MPI_SUM, root,
             communicator);
  for (int i = 0; i < count && is_root; ++i)
    require(sums[static_cast<std::size_t>(i)] == sum_of(size_of(communicator), round, i), "the root's sum");
}

/// The ranks describe the same bytes by different types, another one in each round.
void broadcast(int round, MPI_Comm communicator) {
  const int root = round % size_of(communicator);
  const bool is_root = rank_in(communicator) == root;
  std::vector<int> numbers = is_root ? numbers_of(root, round, 4) : std::vector<int>(4, -1);
  const bool by_bytes = (rank_in(communicator) + round) % 2 == 0;
  MPI_Bcast(numbers.data(), by_bytes ? 16 : 4, by_bytes ? MPI_BYTE : MPI_INT, root, communicator);
  require(numbers == numbers_of(root, round, 4), "what the root has sent");
}

void exchange(int round, MPI_Comm communicator) {
  const int ranks = size_of(communicator);
  const std::vector<int> sent = numbers_of(rank_in(communicator), round, ranks);
  std::vector<int> received(sent.size(), -1);
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, communicator);
  for (int rank = 0; rank < ranks; ++rank)
    require(received[static_cast<std::size_t>(rank)] == number_of(rank, round, rank_in(communicator)), "a block");
}

/// The ranks describe what they send by another type in each round.
void gather(int round, MPI_Comm communicator) {
  const int ranks = size_of(communicator);
  const std::vector<int> sent = numbers_of(rank_in(communicator), round, 3);
  std::vector<int> received(static_cast<std::size_t>(3 * ranks), -1);
  const bool by_bytes = (rank_in(communicator) + round / 5) % 2 == 0;
  MPI_Allgather(sent.data(), by_bytes ? 12 : 3, by_bytes ? MPI_BYTE : MPI_INT, received.data(), 3, MPI_INT,
                communicator);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int i = 0; i < 3; ++i)
      require(received[static_cast<std::size_t>(3 * rank + i)] == number_of(rank, round, i), "a rank's block");
  }
}

/// Blocks of other lengths in each round, of one sum, which some ranks describe by bytes.
void gather_any_lengths(int round, MPI_Comm communicator) {
  const int ranks = size_of(communicator);
  const bool by_bytes = (rank_in(communicator) + round / 5) % 2 == 0;
  const int unit = by_bytes ? static_cast<int>(sizeof(int)) : 1;
  const auto length_of = [&](int rank) { return (rank + round / 3) % ranks * 3; };
  std::vector<int> counts;
  std::vector<int> places;
  int end = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    counts.push_back(length_of(rank) * unit);
    places.push_back(end * unit);
    end += length_of(rank) + 1;
  }
  const std::vector<int> sent = numbers_of(rank_in(communicator), round, length_of(rank_in(communicator)));
  std::vector<int> received(static_cast<std::size_t>(end), -1);
  MPI_Allgatherv(sent.data(), static_cast<int>(sent.size()), MPI_INT, received.data(), counts.data(), places.data(),
                 by_bytes ? MPI_BYTE : MPI_INT, communicator);
  std::vector<int> expected;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<int> block = numbers_of(rank, round, length_of(rank));
    expected.insert(expected.end(), block.begin(), block.end());
    expected.push_back(-1);
  }
  require(received == expected, "all ranks' blocks, and nothing beside them");
}

/// Blocks of one length in two rounds of three; in the others as many numbers are divided in another way.
void reduce_scatter(int round, MPI_Comm communicator) {
  constexpr int each = 5;
  const int ranks = size_of(communicator);
  const int rank = rank_in(communicator);
  std::vector<int> counts(static_cast<std::size_t>(ranks), each);
  if (round % 3 == 0) {
    counts.front() += each - 1;
    counts.back() -= each - 1;
  }
  const int first = std::accumulate(counts.begin(), counts.begin() + rank, 0);
  const std::vector<int> numbers = numbers_of(rank, round, each * ranks);
  std::vector<int> sums(static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]), -1);
  MPI_Reduce_scatter(numbers.data(), sums.data(), counts.data(), MPI_INT, MPI_SUM, communicator);
  for (std::size_t i = 0; i < sums.size(); ++i)
    require(sums[i] == sum_of(ranks, round, first + static_cast<int>(i)), "a rank's sums");
  std::vector<int> block(each, -1);
  MPI_Reduce_scatter_block(numbers.data(), block.data(), each, MPI_INT, MPI_SUM, communicator);
  for (int i = 0; i < each; ++i)
    require(block[static_cast<std::size_t>(i)] == sum_of(ranks, round, each * rank + i), "a rank's block of sums");
}

void impose(const char* algorithm, MPI_Comm communicator) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "airamp_force", algorithm);
  MPI_Comm_set_info(communicator, info);
  MPI_Info_free(&info);
}

}  // namespace

void run() {
  constexpr std::array<int, 5> lengths = {1, 2, 26, 27, 1500};  // 26 are the last that fit beside a rank's word
  on_communicators([&](MPI_Comm communicator) {
    for (int round = 0; round < 400; ++round) {
      const int count = lengths[static_cast<std::size_t>(round / 20) % lengths.size()];
      const bool switched_off = round % 50 >= 45 && rank_in(communicator) == round / 50 % size_of(communicator);
      if (switched_off) MPI_Pcontrol(0);
      allreduce(1, round, false, communicator);
      allreduce(count, round, round % 3 == 0, communicator);
      reduce(count, round, round % 2 == 0, communicator);
      broadcast(round, communicator);
      exchange(round, communicator);
      gather(round, communicator);
      gather_any_lengths(round, communicator);
      reduce_scatter(round, communicator);
      MPI_Barrier(communicator);
      if (switched_off) MPI_Pcontrol(1);
      if (round % 100 == 99) impose(round % 200 == 99 ? "none" : "shared-memory", communicator);
    }
  });
}

}  // namespace airamp::laws
