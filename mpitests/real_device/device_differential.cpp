// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// device_differential [--calls N] [--seed S] [--most-elements N] [--alone] [--all-device] [--unaligned]: random
// collectives on device buffers, some of them mixed with host buffers, against the truth. The last line of rank 0 says
// how many calls were made and how many were wrong. --alone: also on communicators of one rank, which an MPI library
// that is not GPU-aware may not survive. --all-device: no host buffers. --unaligned: buffers that begin at any byte.

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "mpitests/real_device/communicators.hpp"
#include "mpitests/real_device/device.hpp"
#include "mpitests/real_device/truth.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr std::uint64_t change_period = 25;  // calls from one change of the communicators to the next
constexpr int max_messages = 10;

struct Options {
  std::uint64_t calls = 500;
  std::uint64_t seed = 1;
  std::size_t max_elements = 3U << 20U;
  bool alone = false;
  bool all_device = false;
  bool unaligned = false;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--alone") {
      options.alone = true;
    } else if (name == "--all-device") {
      options.all_device = true;
    } else if (name == "--unaligned") {
      options.unaligned = true;
    } else if (i + 1 < argc && (name == "--calls" || name == "--seed" || name == "--most-elements")) {
      const std::uint64_t value = std::strtoull(argv[++i], nullptr, 10);
      if (name == "--calls") options.calls = value;
      if (name == "--seed") options.seed = value;
      if (name == "--most-elements") options.max_elements = value;
    } else {
      std::fprintf(stderr, "device_differential: unknown option %s\n", name.c_str());
      return false;
    }
  }
  return true;
}

// Whether every rank has the same hash.
bool same_on_all(std::uint64_t hash, MPI_Comm communicator) {
  std::array<std::uint64_t, 2> extremes{hash, ~hash};
  MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, communicator);
  return extremes[0] == ~extremes[1];
}

class Test {
 public:
  explicit Test(int rank) : rank_(rank), lossy_(Lossy::from_environment()) {}

  // Makes one call; what was wrong with it on this rank is counted and said.
  void run(const Call& call, std::uint64_t number) {
    std::size_t rank = 0;
    while (call.communicator->members[rank] != rank_) ++rank;
    const Outcome outcome = execute(call, rank);
    std::string mistake = find_mistake(call, lossy_, rank, outcome.result);
    if (!outcome.intact) mistake += " memory beside the receive buffer was written to";
    if (!same_on_all(shared_hash(call, outcome.result), call.communicator->handle)) mistake += " ranks' bits differ";
    if (mistake.empty()) return;
    ++wrong_;
    if (wrong_ > max_messages) return;
    std::printf("wrong: call %llu (%s), rank %zu, %s to %s: %s\n", static_cast<unsigned long long>(number),
                call.describe().c_str(), rank, to_string(call.place(rank_, false)), to_string(call.place(rank_, true)),
                mistake.c_str());
    std::fflush(stdout);
  }

  std::uint64_t wrong() const { return wrong_; }

 private:
  int rank_;
  Lossy lossy_;
  std::uint64_t wrong_ = 0;
};

int run(const Options& options) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Vocabulary vocabulary;
  Communicators communicators(options.alone ? 1 : 2);
  Test test(rank);
  Random random(options.seed);
  std::uint64_t calls = 0;
  for (std::uint64_t i = 0; i < options.calls; ++i) {
    if (i % change_period == change_period - 1) communicators.change(random);
    const Communicator* communicator = communicators.pick(random);
    // What the ranks of one part of a split draw is none of the others' business.
    Random own(random.bits());
    if (communicator == nullptr) continue;
    Call call = draw_call(own, vocabulary, *communicator, options.max_elements);
    if (options.all_device) call.placement = Placement::all_device;
    call.unaligned = options.unaligned;
    test.run(call, i);
    ++calls;
  }
  std::uint64_t wrong = test.wrong();
  std::array<std::uint64_t, 2> totals{calls, wrong};
  MPI_Allreduce(MPI_IN_PLACE, totals.data(), 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("device_differential: %llu calls on %d ranks (%llu by rank 0), %llu wrong\n",
                static_cast<unsigned long long>(totals[0]), ranks, static_cast<unsigned long long>(calls),
                static_cast<unsigned long long>(totals[1]));
  }
  return totals[1] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace airamp::gpu_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::gpu_tests::Options options;
  int status = 2;
  if (airamp::gpu_tests::parse(argc, argv, options)) {
    status = airamp::gpu_tests::use_device() ? airamp::gpu_tests::run(options) : airamp::gpu_tests::skipped;
  }
  MPI_Finalize();
  return status;
}
