// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What the info keys of a communicator do, in a job that has not opted in to anything.
#include <mpi.h>

#include <initializer_list>
#include <utility>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 20000;
constexpr int calls = 3;

using Keys = std::initializer_list<std::pair<const char*, const char*>>;

void set(MPI_Comm communicator, const Keys& keys) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [key, value] : keys) MPI_Info_set(info, key, value);
  MPI_Comm_set_info(communicator, info);
  MPI_Info_free(&info);
}

/// Whether all of its sums are compressed, or none of them; anything else ends the job.
void require_compressed(const HalfSum& half, MPI_Comm communicator, bool compressed, const char* what) {
  for (int round = 0; round < calls; ++round) {
    require((sum_halves(half, communicator, count, round) > 0) == compressed, what);
  }
}

}  // namespace

void run() {
  const HalfSum half;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  require_compressed(half, communicator, false, "nobody opted in");

  // From the first call on: an imposed path is not measured.
  set(communicator, {{"airamp_compress", "true"}, {"airamp_force", "mpi-two-shot"}});
  require_compressed(half, communicator, true, "opted in, with a path imposed");
  require_compressed(half, MPI_COMM_WORLD, false, "another communicator");
  set(communicator, {{"airamp_compress", "false"}});
  require_compressed(half, communicator, false, "opted out again");

  set(communicator, {{"airamp_force", "fastest"}, {"airamp_max_relative_error", "2"}});
  set(communicator, {{"airamp_compress", rank == 0 ? "true" : "false"}});
  require_compressed(half, communicator, false, "keys that differ are ignored");
  MPI_Comm_free(&communicator);

  // A bound that comes after the first calls holds for those that follow, those that measure included.
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  set(communicator, {{"airamp_compress", "true"}, {"airamp_force", "mpi-two-shot"}});
  require_compressed(half, communicator, true, "with a path imposed");
  set(communicator, {{"airamp_force", "none"}, {"airamp_max_relative_error", "1e-6"}});
  for (int i = 0; i < 10; ++i) require_compressed(half, communicator, false, "not imposed any more, and too inexact");
  MPI_Comm_free(&communicator);
}

}  // namespace airamp::laws
