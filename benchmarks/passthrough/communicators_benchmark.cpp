// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// communicators_benchmark CASE: what communicators cost that do not live long, in microseconds on stdout.
// scripts/measure-communicators compares runs with and without the library.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// What a round takes, behind some that do not count: the mean.
template <class Body>
double mean_of(int rounds, int uncounted, const Body& body) {
  for (int round = 0; round < uncounted; ++round) body();
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) body();
  return (MPI_Wtime() - start) / rounds;
}

// A duplicate, one small broadcast on it, and its end: the mean.
double duplicates(int rounds) {
  int value = 1;
  return mean_of(rounds, 200, [&] {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Bcast(&value, 1, MPI_INT, 0, communicator);
    MPI_Comm_free(&communicator);
  });
}

// A time step with a communicator of its own and six sums of 4 MiB on it, as codes with adaptive groups make them: the
// median, from the third one on.
double steps(int rounds) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<float> in(std::size_t{1} << 20);
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(rank) * 3) % 31);
  std::vector<double> seconds;
  for (int round = -2; round < rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &communicator);
    for (int i = 0; i < 6; ++i) {
      MPI_Allreduce(in.data(), out.data(), static_cast<int>(in.size()), MPI_FLOAT, MPI_SUM, communicator);
    }
    MPI_Comm_free(&communicator);
    if (round >= 0) seconds.push_back(MPI_Wtime() - start);
  }
  return median(seconds);
}

// Of the calls on communicators that do not live long.
enum class Collective { allreduce, bcast, gather, reduce, scan };

// A communicator of its own for some calls of 16 numbers each: the mean, from the third one on.
double lives(int rounds, int calls, Collective collective) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::vector<double> in(16, 1);
  const int count = static_cast<int>(in.size());
  std::vector<double> out(in.size() * static_cast<std::size_t>(size));
  const auto call_on = [&](MPI_Comm comm) {
    switch (collective) {
      case Collective::allreduce:
        return MPI_Allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, comm);
      case Collective::bcast:
        return MPI_Bcast(out.data(), count, MPI_DOUBLE, 0, comm);
      case Collective::gather:
        return MPI_Gather(in.data(), count, MPI_DOUBLE, out.data(), count, MPI_DOUBLE, 0, comm);
      case Collective::reduce:
        return MPI_Reduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, 0, comm);
      case Collective::scan:
        return MPI_Scan(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, comm);
    }
    return MPI_ERR_OTHER;
  };
  return mean_of(rounds, 2, [&] {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &communicator);
    for (int call = 0; call < calls; ++call) call_on(communicator);
    MPI_Comm_free(&communicator);
  });
}

// So many communicators alive at once, a barrier on each; freed last first: all of it.
double many(int count) {
  std::vector<MPI_Comm> communicators(static_cast<std::size_t>(count));
  const double start = MPI_Wtime();
  for (MPI_Comm& communicator : communicators) {
    MPI_Comm_dup(MPI_COMM_SELF, &communicator);
    MPI_Barrier(communicator);
  }
  for (auto last = communicators.rbegin(); last != communicators.rend(); ++last) MPI_Comm_free(&*last);
  return MPI_Wtime() - start;
}

}  // namespace

// What CLI11 may throw beyond a mistake on the command line may well end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  int rounds = 0;
  int calls = 0;
  Collective collective = Collective::allreduce;
  CLI::App app("Times communicators that do not live long; prints microseconds.");
  app.require_subcommand(1);
  CLI::App* duplicates_command = app.add_subcommand("duplicates", "duplicate, broadcast 4 bytes, free: one of them");
  CLI::App* steps_command = app.add_subcommand("steps", "split, six sums of 4 MiB, free: one of them");
  CLI::App* lives_command = app.add_subcommand("lives", "split, calls of 128 B, free: one of them");
  CLI::App* many_command = app.add_subcommand("many", "duplicate MPI_COMM_SELF often, then free all: all of it");
  for (CLI::App* command : {duplicates_command, steps_command, lives_command, many_command}) {
    command->add_option("COUNT", rounds, "communicators")->required()->check(CLI::Range(1, 1000000));
  }
  lives_command->add_option("CALLS", calls, "calls on each")->required()->check(CLI::Range(1, 1000000));
  const std::map<std::string, Collective> collectives{{"allreduce", Collective::allreduce},
                                                      {"bcast", Collective::bcast},
                                                      {"gather", Collective::gather},
                                                      {"reduce", Collective::reduce},
                                                      {"scan", Collective::scan}};
  lives_command
      ->add_option("--collective", collective, "allreduce (default), bcast, gather, reduce or scan; rank 0 is root")
      ->transform(CLI::CheckedTransformer(collectives));
  CLI11_PARSE(app, argc, argv);

  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double seconds = *duplicates_command ? duplicates(rounds)
                         : *steps_command    ? steps(rounds)
                         : *lives_command    ? lives(rounds, calls, collective)
                                             : many(rounds);
  if (rank == 0) std::printf("%.2f\n", seconds * 1e6);
  MPI_Finalize();
  return 0;
}
