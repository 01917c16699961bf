// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Makes one collective again and again, of FP64 on host memory; scripts/count-cache-lines follows what it touches. Each
// call lies between a store to the first and one to the second of two marks, whose addresses, and where libraries are,
// rank 0 writes into a folder.
//
//   mpirun -n 2 cache_lines allreduce CALLS ELEMENTS FOLDER
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct alignas(64) Mark {
  volatile int word = 0;
};
Mark before;
Mark behind;

void write_places(const std::string& folder) {
  std::ofstream(folder + "/maps") << std::ifstream("/proc/self/maps").rdbuf();
  // last: who waits for it finds the other one whole
  std::ofstream(folder + "/marks.part") << static_cast<const void*>(const_cast<const int*>(&before.word)) << ' '
                                        << static_cast<const void*>(const_cast<const int*>(&behind.word)) << '\n';
  std::rename((folder + "/marks.part").c_str(), (folder + "/marks").c_str());
}

/// The same length for each rank, one behind the other.
struct Blocks {
  Blocks(int ranks, int count) : counts(static_cast<std::size_t>(ranks), count), displacements(counts.size()) {
    for (std::size_t rank = 1; rank < counts.size(); ++rank) displacements[rank] = displacements[rank - 1] + count;
  }
  std::vector<int> counts;
  std::vector<int> displacements;
};

/// Nothing of another name. `in` and `out` have room for a block of each rank.
bool call(const std::string& collective, std::vector<double>& in, std::vector<double>& out, const Blocks& blocks) {
  const int count = blocks.counts.front();
  const int* const counts = blocks.counts.data();
  const int* const places = blocks.displacements.data();
  if (collective == "allreduce") {
    MPI_Allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (collective == "iallreduce") {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (collective == "reduce") {
    MPI_Reduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  } else if (collective == "bcast") {
    MPI_Bcast(in.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  } else if (collective == "allgather") {
    MPI_Allgather(in.data(), count, MPI_DOUBLE, out.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
  } else if (collective == "gather") {
    MPI_Gather(in.data(), count, MPI_DOUBLE, out.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  } else if (collective == "scatter") {
    MPI_Scatter(out.data(), count, MPI_DOUBLE, in.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  } else if (collective == "scan") {
    MPI_Scan(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (collective == "gatherv") {
    MPI_Gatherv(in.data(), count, MPI_DOUBLE, out.data(), counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  } else if (collective == "scatterv") {
    MPI_Scatterv(out.data(), counts, places, MPI_DOUBLE, in.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  } else if (collective == "alltoallv") {
    MPI_Alltoallv(in.data(), counts, places, MPI_DOUBLE, out.data(), counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  } else if (collective == "reduce_scatter") {
    MPI_Reduce_scatter(in.data(), out.data(), counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (collective == "barrier") {
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 5) {
    std::fprintf(stderr, "usage: cache_lines COLLECTIVE CALLS ELEMENTS FOLDER\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const std::string collective = argv[1];
  const int calls = std::atoi(argv[2]);
  const Blocks blocks(ranks, std::atoi(argv[3]));
  std::vector<double> in(static_cast<std::size_t>(blocks.counts.front()) * blocks.counts.size(), 1.0);
  std::vector<double> out(in.size());
  // as in applications, whose ranks share memory by the first of these, whatever else they call
  constexpr int barriers = 64;
  for (int i = 0; i < barriers; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) write_places(argv[4]);
  for (int i = 0; i < calls; ++i) {
    before.word = i;
    if (!call(collective, in, out, blocks)) {
      std::fprintf(stderr, "cache_lines: no collective is called %s\n", collective.c_str());
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    behind.word = i;
  }
  MPI_Finalize();
  return 0;
}
