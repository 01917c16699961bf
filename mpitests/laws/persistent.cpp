// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Allreduces whose buffers recur, or do not, under AIRAMP_FORCE=native-persistent: persistent CASE... Every result is
// checked exactly; how many calls took the path is for the report to say. Each case has a communicator of its own,
// which is freed while a request is bound on it; the last one runs once more on MPI_COMM_WORLD.
#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <string>

#include "mpitests/laws/halves.hpp"
#include "testing/half.hpp"

namespace airamp::laws {
namespace {

using testing::float16_from_float;
using testing::float_from_float16;

constexpr std::size_t count = 20000;

/// Whole numbers below 500: FP16 holds their sums over four ranks exactly, an 8-bit float does not.
float number(std::size_t index, int rank, int round) {
  return static_cast<float>((7 * index + 131 * static_cast<unsigned>(rank) + 31 * static_cast<unsigned>(round)) % 500);
}

void fill(std::uint16_t* send, std::size_t length, int rank, int round) {
  for (std::size_t i = 0; i < length; ++i) send[i] = float16_from_float(number(i, rank, round));
}

bool is_sum(const std::uint16_t* receive, std::size_t length, int ranks, int round) {
  for (std::size_t i = 0; i < length; ++i) {
    float sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += number(i, rank, round);
    if (float_from_float16(receive[i]) != sum) return false;
  }
  return true;
}

/// A case on its communicator: who is in it, and calls on buffers of this rank's choice.
class Case {
 public:
  explicit Case(MPI_Comm communicator) : communicator_(communicator) {
    MPI_Comm_rank(communicator, &rank_);
    MPI_Comm_size(communicator, &ranks_);
  }

  bool last_rank() const { return rank_ == ranks_ - 1; }

  void call(const HalfSum& half, std::vector<std::uint16_t>& send, std::vector<std::uint16_t>& receive) {
    call(half, send.data(), receive.data(), send.size());
  }

  void call(const HalfSum& half, std::uint16_t* send, std::uint16_t* receive, std::size_t length) {
    ++round_;
    fill(send, length, rank_, round_);
    const void* const sendbuf = send == receive ? MPI_IN_PLACE : send;
    MPI_Allreduce(sendbuf, receive, static_cast<int>(length), half.type(), half.op(), communicator_);
    require(is_sum(receive, length, ranks_, round_), "sum of halves");
  }

  void call_with(MPI_Datatype type, MPI_Op op, std::vector<float>& send, std::vector<float>& receive, float expected) {
    std::fill(send.begin(), send.end(), static_cast<float>(rank_ + 1));
    MPI_Allreduce(send.data(), receive.data(), static_cast<int>(send.size()), type, op, communicator_);
    require(std::all_of(receive.begin(), receive.end(), [&](float value) { return value == expected; }), "floats");
  }

  int ranks() const { return ranks_; }

 private:
  MPI_Comm communicator_;
  int rank_ = 0;
  int ranks_ = 0;
  int round_ = 0;
};

// 10 calls on the path
void recurring(Case& ranks, const HalfSum& half) {
  std::vector<std::uint16_t> send(count);
  std::vector<std::uint16_t> receive(count);
  for (int i = 0; i < 10; ++i) ranks.call(half, send, receive);
}

// 5: every other call
void alternating(Case& ranks, const HalfSum& half) {
  std::vector<std::uint16_t> send(count);
  std::vector<std::uint16_t> receive[2] = {std::vector<std::uint16_t>(count), std::vector<std::uint16_t>(count)};
  for (int i = 0; i < 10; ++i) ranks.call(half, send, receive[i % 2]);
}

// 9: all but the first call with the other buffer
void one_rank_moves(Case& ranks, const HalfSum& half) {
  std::vector<std::uint16_t> send(count);
  std::vector<std::uint16_t> receive[2] = {std::vector<std::uint16_t>(count), std::vector<std::uint16_t>(count)};
  for (int i = 0; i < 10; ++i) ranks.call(half, send, receive[ranks.last_rank() && i >= 4 ? 1 : 0]);
}

// 9: every other call until the request has been made anew 8 times, none after that, though the buffers recur at last
void one_rank_never_rests(Case& ranks, const HalfSum& half) {
  std::vector<std::uint16_t> send[3] = {std::vector<std::uint16_t>(count), std::vector<std::uint16_t>(count),
                                        std::vector<std::uint16_t>(count)};
  std::vector<std::uint16_t> receive(count);
  for (int i = 0; i < 24; ++i) ranks.call(half, send[ranks.last_rank() ? i % 3 : 0], receive);
  for (int i = 0; i < 6; ++i) ranks.call(half, send[0], receive);
}

// 11 calls: the request is made in place, then anew for a send buffer, then for another length
void in_place(Case& ranks, const HalfSum& half) {
  std::vector<std::uint16_t> send(count);
  std::vector<std::uint16_t> receive(count);
  for (int i = 0; i < 5; ++i) ranks.call(half, receive, receive);
  for (int i = 0; i < 4; ++i) ranks.call(half, send, receive);
  for (int i = 0; i < 4; ++i) ranks.call(half, send.data(), receive.data(), count - 1000);
}

// 6: each with a datatype and an operation of its own, all gone before the last call
void freed_handles(Case& ranks, const HalfSum& half) {
  std::vector<std::uint16_t> send(count);
  std::vector<std::uint16_t> receive(count);
  for (int i = 0; i < 5; ++i) {
    const HalfSum other;
    ranks.call(other, send, receive);
  }
  ranks.call(half, send, receive);
}

std::uint16_t* map(std::uint16_t* at) {
  void* const memory = mmap(at, count * sizeof(std::uint16_t), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | (at != nullptr ? MAP_FIXED : 0), -1, 0);
  require(memory != MAP_FAILED, "mmap");
  return static_cast<std::uint16_t*>(memory);
}

// 6: the buffers are unmapped while the request is bound to them, and other memory comes to lie there
void remapped(Case& ranks, const HalfSum& half) {
  std::uint16_t* const send = map(nullptr);
  std::uint16_t* const receive = map(nullptr);
  for (int i = 0; i < 3; ++i) ranks.call(half, send, receive, count);
  munmap(send, count * sizeof(std::uint16_t));
  munmap(receive, count * sizeof(std::uint16_t));
  map(send);
  map(receive);
  for (int i = 0; i < 3; ++i) ranks.call(half, send, receive, count);
  munmap(send, count * sizeof(std::uint16_t));
  munmap(receive, count * sizeof(std::uint16_t));
}

// 8: of the last rank's vetoes none has to do with the buffers
void pcontrol(Case& ranks, const HalfSum& half) {
  std::vector<std::uint16_t> send(count);
  std::vector<std::uint16_t> receive(count);
  for (int i = 0; i < 12; ++i) {
    if (ranks.last_rank() && i % 3 == 1) MPI_Pcontrol(0);
    ranks.call(half, send, receive);
    MPI_Pcontrol(1);
  }
}

// 6 sums and 6 maxima: two requests, each bound to its own buffers
void floats(Case& ranks, const HalfSum& /*half*/) {
  std::vector<float> sent(count);
  std::vector<float> summed(count);
  std::vector<float> largest(count);
  const auto n = static_cast<float>(ranks.ranks());
  for (int i = 0; i < 6; ++i) {
    ranks.call_with(MPI_FLOAT, MPI_SUM, sent, summed, n * (n + 1) / 2);
    ranks.call_with(MPI_FLOAT, MPI_MAX, sent, largest, n);
  }
}

// Under the tuner, at the smallest size for which it takes part: in measured calls the result is native's.
void measured(Case& ranks, const HalfSum& half) {
  std::vector<std::uint16_t> send(std::size_t{8} << 20U);
  std::vector<std::uint16_t> receive(send.size());
  for (int i = 0; i < 4; ++i) ranks.call(half, send, receive);
}

using Function = void (*)(Case&, const HalfSum&);
const std::map<std::string, Function> cases = {{"recurring", recurring},
                                               {"alternating", alternating},
                                               {"one_rank_moves", one_rank_moves},
                                               {"one_rank_never_rests", one_rank_never_rests},
                                               {"in_place", in_place},
                                               {"freed_handles", freed_handles},
                                               {"remapped", remapped},
                                               {"pcontrol", pcontrol},
                                               {"floats", floats},
                                               {"measured", measured}};

void run(const std::string& name, bool last) {
  const HalfSum half;
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  Case ranks(communicator);
  cases.at(name)(ranks, half);
  MPI_Comm_free(&communicator);
  if (!last) return;
  Case world(MPI_COMM_WORLD);
  cases.at(name)(world, half);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 1; i < argc; ++i) airamp::laws::run(argv[i], i == argc - 1);
  MPI_Finalize();
  return 0;
}
