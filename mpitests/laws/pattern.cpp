// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Time steps whose collectives PoLA learns, with everything that the ranks may differ in: when they come, where their
// buffers lie, and which of them switches AIRamp off for a call. Phases: steps of one kind, steps of another, calls in
// no order, and steps of the first kind again. Every result is checked. Then the same on a communicator that is freed
// while receives wait for its next call; so do those of the first when MPI ends. Argument: a seed.
#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr int steps = 40;
constexpr double max_delay_us = 300;

class Program {
 public:
  Program(MPI_Comm communicator, unsigned seed) : communicator_(communicator), common_(seed) {
    MPI_Comm_rank(communicator, &rank_);
    MPI_Comm_size(communicator, &ranks_);
    own_.seed(seed + 1000 + static_cast<unsigned>(rank_));
  }

  void run_all() {
    learn();
    for (int step = 0; step < steps; ++step) second_kind();
    for (int call = 0; call < 2 * steps; ++call) {
      switch (common_() % 3) {
        case 0:
          sum(4000 << common_() % 4);
          break;
        case 1:
          gather(5000, common_() % 2 == 0);
          break;
        default:
          sum(3000);
      }
    }
    learn();
  }

  void learn() {
    for (int step = 0; step < steps; ++step) first_kind(step);
  }

 private:
  /// The lengths differ from step to step, within one power of two: by a segment more or less, up and down.
  void first_kind(int step) {
    sum(17000 + 15000 * (common_() % 100) / 100);
    sum(600);  // 2 wire rows: some rank owns none
    gather(5000, true);
    if (step % 10 == 9) sum(100000);
  }

  void second_kind() {
    gather(9000, false);
    sum(17000);
    sum(33000);
  }

  void sum(std::size_t count) {
    arrive();
    sum_halves(half_, communicator_, count, ++round_);
    MPI_Pcontrol(1);
  }

  void gather(std::size_t count, bool in_place) {
    arrive();
    ++round_;
    const std::vector<std::uint16_t> mine = halves(count, rank_, round_);
    std::vector<std::uint16_t> all(count * static_cast<std::size_t>(ranks_));
    std::copy(mine.begin(), mine.end(), all.begin() + static_cast<long>(count) * rank_);
    const void* const send = in_place ? MPI_IN_PLACE : mine.data();
    MPI_Allgather(send, static_cast<int>(count), half_.type(), all.data(), static_cast<int>(count), half_.type(),
                  communicator_);
    require(error_of_gather(all, ranks_, round_) < compressed_error, "gather of halves");
    MPI_Pcontrol(1);
  }

  /// What no other rank knows of.
  void arrive() {
    if (own_() % 4 == 0) std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(delay_(own_)));
    if (own_() % 30 == 0) MPI_Pcontrol(0);
    elsewhere_ = std::make_unique<char[]>(own_() % 100000);  // so that the next buffers lie elsewhere
  }

  MPI_Comm communicator_;
  const HalfSum half_;
  int rank_ = 0;
  int ranks_ = 0;
  int round_ = 0;
  std::mt19937 common_;
  std::mt19937 own_;
  std::uniform_real_distribution<double> delay_{0, max_delay_us};
  std::unique_ptr<char[]> elsewhere_;
};

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const unsigned seed = argc > 1 ? static_cast<unsigned>(std::stoul(argv[1])) : 7;
  airamp::laws::Program(MPI_COMM_WORLD, seed).run_all();
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  airamp::laws::Program(communicator, seed).learn();
  MPI_Comm_free(&communicator);
  MPI_Finalize();
  return 0;
}
