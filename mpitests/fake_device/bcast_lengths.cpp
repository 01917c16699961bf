// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// bcast_lengths [host]: broadcasts whose receivers offer more room than the root sends, which is wrong, but what MPI
// libraries do with it they do with AIRamp as well: the same error classes, the same bytes. In between ranks that
// describe the same bytes by different datatypes, which is right. `host`: in host memory.
#include <algorithm>
#include <string_view>

#include "mpitests/fake_device/checked_call/buffer.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

struct Lengths {
  int sent;
  int room;
};
/// In one bucket of sizes and in others. Where the root sends nothing at all, the MPI libraries themselves hang.
constexpr Lengths wrong[] = {{1000, 1001}, {1000, 1023}, {1000, 1100}, {64, 2000}};
constexpr Lengths wrong_and_long = {786432, 884736};

struct Outcome {
  int error_class = MPI_SUCCESS;
  std::vector<std::byte> bytes;
  bool operator==(const Outcome&) const = default;
};

class Broadcasts {
 public:
  explicit Broadcasts(Place place) : place_(place) {
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  }
  ~Broadcasts() { MPI_Comm_free(&communicator_); }

  /// Of bytes that differ from round to round.
  Outcome run(const Lengths& lengths, bool as_floats = false) {
    const int root = ++round_ % size_of();
    const bool sends = rank_in() == root;
    const int bytes = sends ? lengths.sent : lengths.room;
    const Buffer buffer(place_, static_cast<std::size_t>(bytes));
    if (sends) std::fill_n(buffer.host(), bytes, static_cast<std::byte>(round_));
    const int code = as_floats && !sends ? MPI_Bcast(buffer.data(), bytes / 4, MPI_FLOAT, root, communicator_)
                                         : MPI_Bcast(buffer.data(), bytes, MPI_BYTE, root, communicator_);
    require(buffer.guards_intact(), "nothing is written beside the buffer");
    // Behind what was sent lies what lay there before, in host memory; where MPI cannot read device memory, anything.
    const int compared = place_ == Place::host ? bytes : lengths.sent;
    Outcome outcome{.error_class = code, .bytes = {buffer.host(), buffer.host() + compared}};
    if (code != MPI_SUCCESS) MPI_Error_class(code, &outcome.error_class);
    // what an MPI library has not received yet is not to be taken for the next broadcast's
    MPI_Barrier(MPI_COMM_WORLD);
    return outcome;
  }

  void run_equal(int bytes) {
    const Outcome outcome = run({bytes, bytes}, bytes % 4 == 0);
    const std::vector<std::byte> expected(static_cast<std::size_t>(bytes), static_cast<std::byte>(round_));
    require(outcome.error_class == MPI_SUCCESS && outcome.bytes == expected, "a broadcast of equal lengths");
  }

  /// The same broadcast with AIRamp switched off and on.
  void run_both_ways(const Lengths& lengths) {
    const int round = round_;
    MPI_Pcontrol(0);
    const Outcome native = run(lengths);
    MPI_Pcontrol(1);
    round_ = round;
    require(run(lengths) == native, "a broadcast of " + std::to_string(lengths.sent) + " bytes into " +
                                        std::to_string(lengths.room) + " as it is natively");
  }

 private:
  Place place_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int round_ = 0;
};

void run_all(Place place) {
  Broadcasts broadcasts(place);
  for (const Lengths& lengths : wrong) broadcasts.run_both_ways(lengths);
  broadcasts.run_both_ways(wrong_and_long);
  for (int i = 0; i < 100; ++i) broadcasts.run_equal(1000);
  // often enough for every pause between agreements to end
  for (int i = 0; i < 600; ++i) {
    broadcasts.run(wrong[static_cast<std::size_t>(i) % std::size(wrong)]);
    if (i % 7 == 0) broadcasts.run_equal(i % 5 * 500);
  }
  for (int i = 0; i < 100; ++i) broadcasts.run_equal(1000);
  for (const Lengths& lengths : wrong) broadcasts.run_both_ways(lengths);
  broadcasts.run_both_ways(wrong_and_long);
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using airamp::device_tests::Place;
  MPI_Init(&argc, &argv);
  airamp::device_tests::run_all(argc > 1 && std::string_view(argv[1]) == "host" ? Place::host : Place::device);
  MPI_Finalize();
  return 0;
}
