// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// failures revoked|killed|killed_inside [shared_memory|scans|ordered_messages]: where an MPI library survives the
// failure of a rank, its programs do so with AIRamp as well. Rank 0 revokes the communicator instead of taking part in
// a collective, or the last rank dies in the middle of one: before it enters it, or wherever it is. All others get the
// library's own class of error, and go on with a communicator of those that are left, to the end. The collectives are
// sums of halves, which are compressed, with "shared_memory" those that go through shared memory, with "scans" long
// ones there, which go from rank to rank, or with "ordered_messages" sums whose order is promised.
#include <mpi.h>
// after it
#include <mpi-ext.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

enum class Failure : std::uint8_t { revoked, killed, killed_inside };

/// What the ranks do until one fails, and those that are left afterwards.
class Collectives {
 public:
  virtual ~Collectives() = default;
  /// Enough for AIRamp to take over.
  virtual int rounds() const = 0;
  /// One collective, or some. Returns the first one's error, without which the results must be right.
  virtual int make(MPI_Comm communicator, int round) = 0;
};

class Compressed : public Collectives {
 public:
  int rounds() const override { return 5; }
  int make(MPI_Comm communicator, int round) override {
    constexpr std::size_t count = 100000;
    std::vector<std::uint16_t> values = halves(count, rank_in(communicator), round);
    const int error =
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(count), half_.type(), half_.op(), communicator);
    if (error != MPI_SUCCESS) return error;
    const double distance = error_of_sum(values, size_of(communicator), round);
    require(distance > 0 && distance < compressed_error, "the sum is compressed, and right");
    return MPI_SUCCESS;
  }

 private:
  HalfSum half_;
};

class InSharedMemory : public Collectives {
 public:
  int rounds() const override { return 100; }
  int make(MPI_Comm communicator, int round) override {
    for (const std::size_t length : {std::size_t{1}, std::size_t{300}, std::size_t{100000}}) {
      std::vector<int> values(length, round + rank_in(communicator));
      const auto count = static_cast<int>(length);
      int error = MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT, MPI_SUM, communicator);
      if (error != MPI_SUCCESS) return error;
      const int ranks = size_of(communicator);
      require(values == std::vector<int>(length, round * ranks + ranks * (ranks - 1) / 2), "MPI_Allreduce");
      const int root = round % ranks;
      if (rank_in(communicator) == root) values.assign(length, round);
      error = MPI_Bcast(values.data(), count, MPI_INT, root, communicator);
      if (error != MPI_SUCCESS) return error;
      require(values == std::vector<int>(length, round), "MPI_Bcast");
    }
    return MPI_SUCCESS;
  }
};

class Scans : public Collectives {
 public:
  int rounds() const override { return 50; }
  int make(MPI_Comm communicator, int round) override {
    constexpr std::size_t length = 100000;
    const int rank = rank_in(communicator);
    const std::vector<int> values(length, round + rank);
    std::vector<int> sums(length);
    const int error = MPI_Scan(values.data(), sums.data(), static_cast<int>(length), MPI_INT, MPI_SUM, communicator);
    if (error != MPI_SUCCESS) return error;
    require(sums == std::vector<int>(length, (rank + 1) * round + rank * (rank + 1) / 2), "MPI_Scan");
    return MPI_SUCCESS;
  }
};

class Ordered : public Collectives {
 public:
  int rounds() const override { return 20; }
  int make(MPI_Comm communicator, int round) override {
    const int ranks = size_of(communicator);
    for (const std::size_t length : {std::size_t{1}, std::size_t{3000}, std::size_t{300000}}) {
      std::vector<double> values(length, round + rank_in(communicator));
      const int error =
          MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(length), MPI_DOUBLE, MPI_SUM, communicator);
      if (error != MPI_SUCCESS) return error;
      require(values == std::vector<double>(length, round * ranks + ranks * (ranks - 1) / 2), "MPI_Allreduce");
    }
    return MPI_SUCCESS;
  }
};

/// Of the first call that fails, in as many rounds as it takes.
int class_of_error(Collectives& collectives, MPI_Comm communicator) {
  int error = MPI_SUCCESS;
  for (int round = 0; error == MPI_SUCCESS; ++round) error = collectives.make(communicator, round);
  int result = MPI_SUCCESS;
  MPI_Error_class(error, &result);
  return result;
}

/// Until all others have ended their calls: a failure would be heard in those, too.
void wait_for_others(int failing) {
  const int rank = rank_in(MPI_COMM_WORLD);
  if (rank != failing) MPI_Send(nullptr, 0, MPI_BYTE, failing, 0, MPI_COMM_WORLD);
  for (int other = 0; rank == failing && other < size_of(MPI_COMM_WORLD) - 1; ++other) {
    MPI_Recv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/// Dies while it makes its calls.
[[noreturn]] void die_inside(Collectives& collectives, MPI_Comm communicator) {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    std::raise(SIGKILL);
  }).detach();
  for (int round = 0;; ++round) collectives.make(communicator, round);
}

void fail(Collectives& collectives, MPI_Comm communicator, Failure failure) {
  const int rank = rank_in(communicator);
  const int last = size_of(communicator) - 1;
  wait_for_others(failure == Failure::revoked ? 0 : last);
  if (rank == last && failure == Failure::killed) std::raise(SIGKILL);
  if (rank == last && failure == Failure::killed_inside) die_inside(collectives, communicator);
  if (rank == 0 && failure == Failure::revoked) {
    MPIX_Comm_revoke(communicator);
    return;
  }
  const int first = class_of_error(collectives, communicator);
  require(first == MPIX_ERR_REVOKED || (failure != Failure::revoked && first == MPIX_ERR_PROC_FAILED),
          "class of the error");
  MPIX_Comm_revoke(communicator);
  require(class_of_error(collectives, communicator) == MPIX_ERR_REVOKED,
          "class of the error of a revoked communicator");
}

void fail_and_go_on(Collectives& collectives, Failure failure) {
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  for (int round = 0; round < collectives.rounds(); ++round) {
    require(collectives.make(communicator, round) == MPI_SUCCESS, "no error before the failure");
  }
  fail(collectives, communicator, failure);
  MPI_Comm left = MPI_COMM_NULL;
  MPIX_Comm_shrink(communicator, &left);
  for (int round = 0; round < collectives.rounds(); ++round) {
    require(collectives.make(left, round) == MPI_SUCCESS, "no error on the new communicator");
  }
  MPI_Comm_free(&communicator);
  MPI_Comm_free(&left);
}

Failure failure_named(const std::string& name) {
  if (name == "revoked") return Failure::revoked;
  return name == "killed" ? Failure::killed : Failure::killed_inside;
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using namespace airamp::laws;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const Failure failure = failure_named(argc > 1 ? argv[1] : "");
  const std::string what = argc > 2 ? argv[2] : "";
  if (what == "shared_memory") {
    InSharedMemory collectives;
    fail_and_go_on(collectives, failure);
  } else if (what == "scans") {
    Scans collectives;
    fail_and_go_on(collectives, failure);
  } else if (what == "ordered_messages") {
    Ordered collectives;
    fail_and_go_on(collectives, failure);
  } else {
    Compressed collectives;
    fail_and_go_on(collectives, failure);
  }
  MPI_Finalize();
  return 0;
}
