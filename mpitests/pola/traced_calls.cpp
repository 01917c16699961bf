// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Known collectives on known communicators, for three ranks. traced_calls DIR writes DIR/rank-N.calls, what the trace
// beside it must contain. DIR is made by the library.
#include <mpi.h>

#include <array>
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/pola/call_log.hpp"

namespace airamp::traced {
namespace {

constexpr int ranks = 3;
constexpr const char* unknown = "-";

void every_function(CallLog& log, const Place& world, int rank) {
  const MPI_Comm comm = world.comm;
  std::array<double, 16> in{};
  std::array<double, 16> out{};
  std::array<int, 16> numbers{};
  std::array<int, 16> others{};
  log(world, "MPI_Allreduce", 8, "double sum",
      [&] { MPI_Allreduce(in.data(), out.data(), 1, MPI_DOUBLE, MPI_SUM, comm); });
  log(world, "MPI_Allreduce", 8, "int max",
      [&] { MPI_Allreduce(numbers.data(), others.data(), 2, MPI_INT, MPI_MAX, comm); });
  log(world, "MPI_Allreduce", 16, "int max",
      [&] { MPI_Allreduce(MPI_IN_PLACE, others.data(), 4, MPI_INT, MPI_MAX, comm); });
  log(world, "MPI_Bcast", 40, unknown, [&] { MPI_Bcast(in.data(), 5, MPI_DOUBLE, 1, comm); });
  log(world, "MPI_Allgather", 8, unknown,
      [&] { MPI_Allgather(numbers.data(), 2, MPI_INT, others.data(), 2, MPI_INT, comm); });
  const std::array<int, ranks> counts{1, 2, 3};
  const std::array<int, ranks> places{0, 1, 3};
  log(world, "MPI_Allgatherv", 0, unknown, [&] {
    MPI_Allgatherv(numbers.data(), rank + 1, MPI_INT, others.data(), counts.data(), places.data(), MPI_INT, comm);
  });
  log(world, "MPI_Reduce_scatter_block", 16, unknown,
      [&] { MPI_Reduce_scatter_block(in.data(), out.data(), 2, MPI_DOUBLE, MPI_SUM, comm); });
  log(world, "MPI_Reduce", 24, unknown, [&] { MPI_Reduce(in.data(), out.data(), 3, MPI_DOUBLE, MPI_SUM, 2, comm); });
  log(world, "MPI_Gather", 4, unknown,
      [&] { MPI_Gather(numbers.data(), 1, MPI_INT, others.data(), 1, MPI_INT, 1, comm); });
  log(world, "MPI_Gatherv", 0, unknown, [&] {
    MPI_Gatherv(numbers.data(), rank + 1, MPI_INT, others.data(), rank == 1 ? counts.data() : nullptr,
                rank == 1 ? places.data() : nullptr, MPI_INT, 1, comm);
  });
  log(world, "MPI_Alltoall", 4, unknown,
      [&] { MPI_Alltoall(numbers.data(), 1, MPI_INT, others.data(), 1, MPI_INT, comm); });
  log(world, "MPI_Scan", 4, unknown, [&] { MPI_Scan(numbers.data(), others.data(), 1, MPI_INT, MPI_SUM, comm); });
  log(world, "MPI_Exscan", 8, unknown, [&] { MPI_Exscan(numbers.data(), others.data(), 2, MPI_INT, MPI_SUM, comm); });
  MPI_Request request = MPI_REQUEST_NULL;
  log(world, "MPI_Iallreduce", 32, unknown,
      [&] { MPI_Iallreduce(in.data(), out.data(), 4, MPI_DOUBLE, MPI_SUM, comm, &request); });
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  log(world, "MPI_Barrier", 0, unknown, [&] { MPI_Barrier(comm); });
}

void neighbours(CallLog& log, const Place& world) {
  Place ring{.name = "ring"};
  const int periodic = 1;
  MPI_Cart_create(world.comm, 1, &ranks, &periodic, 0, &ring.comm);
  std::array<int, 4> from{};
  std::array<int, 4> to{};
  log(ring, "MPI_Neighbor_allgather", 8, unknown,
      [&] { MPI_Neighbor_allgather(from.data(), 2, MPI_INT, to.data(), 2, MPI_INT, ring.comm); });
  log(ring, "MPI_Neighbor_alltoall", 4, unknown,
      [&] { MPI_Neighbor_alltoall(from.data(), 1, MPI_INT, to.data(), 1, MPI_INT, ring.comm); });
  MPI_Comm_free(&ring.comm);
}

void layouts(CallLog& log, const Place& world) {
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  std::array<int, 12> data{};
  log(world, "MPI_Bcast", 24, unknown, [&] { MPI_Bcast(data.data(), 2, every_other, 0, world.comm); });
  MPI_Type_free(&every_other);
}

void one_sum(CallLog& log, const Place& place) {
  double mine = 1;
  double sum = 0;
  log(place, "MPI_Allreduce", 8, "double sum", [&] { MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, place.comm); });
}

/// A communicator that took the place of a freed one is another one.
void communicators(CallLog& log, const Place& world, int rank) {
  Place copy{.name = "copy"};
  MPI_Comm_dup(world.comm, &copy.comm);
  one_sum(log, copy);
  for (int round = 0; round < 4; ++round) {
    const int colour = rank % 2;
    Place part{.name = "part-" + std::to_string(round) + "-" + std::to_string(colour)};
    MPI_Comm_split(world.comm, colour, 0, &part.comm);
    one_sum(log, part);
    one_sum(log, world);
    one_sum(log, part);
    MPI_Comm_free(&part.comm);
  }
  one_sum(log, copy);
  MPI_Comm_free(&copy.comm);
}

/// Its groups may pass counts of their own.
void two_groups(CallLog& log, const Place& world, int rank) {
  MPI_Comm group = MPI_COMM_NULL;
  Place between{.name = "between"};
  MPI_Comm_split(world.comm, rank == 0 ? 0 : 1, 0, &group);
  MPI_Intercomm_create(group, 0, world.comm, rank == 0 ? 1 : 0, 7, &between.comm);
  std::array<int, 6> from{};
  std::array<int, 6> to{};
  log(between, "MPI_Allgather", 0, unknown, [&] {
    MPI_Allgather(from.data(), rank == 0 ? 2 : 1, MPI_INT, to.data(), rank == 0 ? 1 : 2, MPI_INT, between.comm);
  });
  MPI_Comm_free(&between.comm);
  MPI_Comm_free(&group);
}

/// More than the writer buffers.
void many(CallLog& log, const Place& world, const Place& self) {
  for (int i = 0; i < 20000; ++i) log(self, "MPI_Barrier", 0, unknown, [&] { MPI_Barrier(self.comm); });
  for (int i = 0; i < 100; ++i) one_sum(log, world);
}

void accelerated(CallLog& log, const Place& world) {
  const laws::HalfSum half;
  for (int round = 0; round < 5; ++round) {
    log(world, "MPI_Allreduce", 40000, "half sum", [&] { laws::sum_halves(half, world.comm, 20000, round); });
  }
}

void write(const CallLog& log, const std::string& path) {
  std::ofstream file(path);
  for (const LoggedCall& call : log.calls()) {
    file << call.communicator << '\t' << call.size << '\t' << call.rank << '\t' << call.function << '\t' << call.bytes
         << '\t' << call.arguments << '\t' << call.before << '\t' << call.after << '\n';
  }
  file.close();
  laws::require(file.good(), "the log was written");
}

}  // namespace
}  // namespace airamp::traced

int main(int argc, char** argv) {
  using namespace airamp::traced;
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  airamp::laws::require(argc == 2 && size == ranks, "traced_calls DIR on three ranks");

  CallLog log;
  const Place world{.comm = MPI_COMM_WORLD, .name = "world"};
  const Place self{.comm = MPI_COMM_SELF, .name = "self-" + std::to_string(rank)};
  // the ranks number their communicators in orders of their own
  if (rank == 1) log(self, "MPI_Barrier", 0, unknown, [&] { MPI_Barrier(self.comm); });
  every_function(log, world, rank);
  std::this_thread::sleep_for(std::chrono::milliseconds(5 * rank));
  layouts(log, world);
  neighbours(log, world);
  communicators(log, world, rank);
  two_groups(log, world, rank);
  many(log, world, self);
  accelerated(log, world);
  write(log, std::string(argv[1]) + "/rank-" + std::to_string(rank) + ".calls");
  MPI_Finalize();
  return 0;
}
