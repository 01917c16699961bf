// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// More communicators than the scratch memory is enough for, freed early and late, of some of the ranks, and made when
// only some of their ranks have scratch memory left. With the argument "apart" none of them can share it.
#include <cstring>
#include <vector>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr int many = 26;  // a communicator takes at least 1 of 20 MiB
constexpr std::size_t small = 100;
constexpr std::size_t large = 40000;

void use(const Vocabulary& vocabulary, MPI_Comm communicator, int round) {
  run(call_of(vocabulary, Kind::bcast, Format::float32, small, round), communicator);
  run(call_of(vocabulary, Kind::allreduce, Format::int32, large, round), communicator);
  run(call_of(vocabulary, Kind::allgatherv, Format::float16, small, round), communicator);
}

void free_all(std::vector<MPI_Comm>& communicators) {
  for (MPI_Comm& communicator : communicators) MPI_Comm_free(&communicator);
  communicators.clear();
}

std::vector<MPI_Comm> duplicates(MPI_Comm communicator, int count) {
  std::vector<MPI_Comm> result(static_cast<std::size_t>(count), MPI_COMM_NULL);
  for (MPI_Comm& duplicate : result) MPI_Comm_dup(communicator, &duplicate);
  return result;
}

/// All alive at the same time, used in turns; then half of them goes and new ones come.
void run_out(const Vocabulary& vocabulary) {
  std::vector<MPI_Comm> alive = duplicates(MPI_COMM_WORLD, many);
  for (int round = 0; round < 2; ++round) {
    for (MPI_Comm communicator : alive) use(vocabulary, communicator, round);
  }
  std::vector<MPI_Comm> first(alive.begin(), alive.begin() + many / 2);
  alive.erase(alive.begin(), alive.begin() + many / 2);
  free_all(first);
  std::vector<MPI_Comm> fresh = duplicates(MPI_COMM_WORLD, 3);
  for (MPI_Comm communicator : fresh) use(vocabulary, communicator, 3);
  for (MPI_Comm communicator : alive) use(vocabulary, communicator, 4);
  free_all(fresh);
  free_all(alive);
}

void free_early(const Vocabulary& vocabulary) {
  for (int i = 0; i < 12; ++i) {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_in() % 2, i % 2 == 0 ? rank_in() : -rank_in(), &communicator);
    run(sum_of(vocabulary, Format::float64, i % 3 == 0 ? large : small, i), communicator);
    MPI_Comm_free(&communicator);
  }
}

/// Ranks 0 and 1 use up their scratch memory; the others have all of theirs.
void run_out_on_some(const Vocabulary& vocabulary) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_in() / 2, 0, &part);
  std::vector<MPI_Comm> alive;
  if (rank_in() < 2) alive = duplicates(part, many);
  for (MPI_Comm communicator : alive) run(call_of(vocabulary, Kind::bcast, Format::int64, small, 7), communicator);
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  for (int round = 0; round < 3; ++round) use(vocabulary, all, 10 + round);
  MPI_Comm_free(&all);
  free_all(alive);
  MPI_Comm_free(&part);
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  // communicators of the same ranks share their scratch memory, unless several threads may call MPI
  const bool apart = argc > 1 && std::strcmp(argv[1], "apart") == 0;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, apart ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  {
    const airamp::device_tests::Vocabulary vocabulary;
    airamp::device_tests::run_out(vocabulary);
    airamp::device_tests::free_early(vocabulary);
    airamp::device_tests::run_out_on_some(vocabulary);
  }
  MPI_Finalize();
  return 0;
}
