// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// room full|filled_later|used_up|none: /dev/shm is full from the beginning, becomes full while the program runs, is
// used up by the program's communicators, or is missing. All results are right; what is carried the report says. To be
// run where /dev/shm is small and nobody else's: with_dev_shm.sh.
#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

/// One goes with a rank's word, the other needs chunks.
constexpr int short_length = 1;
constexpr int long_length = 50000;

constexpr std::size_t page = 4096;
constexpr std::size_t most_room = std::size_t{64} << 20U;

/// More than the calls that AIRamp leaves native before it makes memory for a communicator.
void sum(int length, MPI_Comm communicator) {
  const int ranks = size_of(communicator);
  for (int round = 0; round < 50; ++round) {
    std::vector<int> values(static_cast<std::size_t>(length), round + rank_in(communicator));
    MPI_Allreduce(MPI_IN_PLACE, values.data(), length, MPI_INT, MPI_SUM, communicator);
    require(values == std::vector<int>(values.size(), round * ranks + ranks * (ranks - 1) / 2), "MPI_Allreduce");
    if (round % ranks == rank_in(communicator)) values.assign(values.size(), round);
    MPI_Bcast(values.data(), length, MPI_INT, round % ranks, communicator);
    require(values == std::vector<int>(values.size(), round), "MPI_Bcast");
  }
}

std::size_t room() {
  struct statvfs system {};
  require(statvfs("/dev/shm", &system) == 0, "/dev/shm is there");
  require(system.f_blocks * system.f_frsize <= most_room, "/dev/shm is small: it is not the host's own");
  return system.f_bavail * system.f_bsize;
}

/// To the last page, until this process ends.
void fill() {
  if (rank_in(MPI_COMM_WORLD) == 0) {
    const int file = shm_open("/filled", O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    require(file >= 0 && shm_unlink("/filled") == 0, "a file in /dev/shm");
    off_t filled = 0;
    for (std::size_t step = most_room; step >= page; step /= 2) {
      while (room() >= step && posix_fallocate(file, filled, static_cast<off_t>(step)) == 0)
        filled += static_cast<off_t>(step);
    }
    require(room() == 0, "/dev/shm is full");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void fill_later() {
  sum(short_length, MPI_COMM_WORLD);  // makes memory for short calls
  fill();
  sum(long_length, MPI_COMM_WORLD);
  sum(short_length, MPI_COMM_WORLD);
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  sum(short_length, other);
  sum(long_length, other);
  MPI_Comm_free(&other);
}

void use_up() {
  constexpr int more_than_there_is_room_for = 12;
  std::vector<MPI_Comm> communicators(more_than_there_is_room_for);
  for (MPI_Comm& communicator : communicators) {
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    sum(long_length, communicator);
  }
  for (MPI_Comm& communicator : communicators) {
    sum(short_length, communicator);
    MPI_Comm_free(&communicator);
  }
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using namespace airamp::laws;
  MPI_Init(&argc, &argv);
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "full") {
    fill();
    sum(short_length, MPI_COMM_WORLD);
    sum(long_length, MPI_COMM_WORLD);
  } else if (what == "filled_later") {
    fill_later();
  } else {
    use_up();
  }
  MPI_Finalize();
  return 0;
}
