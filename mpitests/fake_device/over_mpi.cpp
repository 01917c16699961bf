// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// over_mpi same|failure|measured|expected: collectives on device buffers that are compressed and go over MPI. `same`:
// they have the bits of the same calls on host buffers. `failure`: one rank's GPU fails in the middle of a call; that
// rank alone has an error, the others have right numbers or NaN, and all go on natively. `measured`: it fails in a
// measured call, of which nobody notices. `expected`: the ranks are asked along with the data of calls on host buffers,
// and in one of those the buffers of one rank lie on its GPU.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "mpitests/differential/random.hpp"
#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

enum class Shape : std::uint8_t { allreduce, in_place, allgather, allgather_in_place, allgatherv };
constexpr Shape shapes[] = {Shape::allreduce, Shape::in_place, Shape::allgather, Shape::allgather_in_place,
                            Shape::allgatherv};

bool gathers(Shape shape) { return shape != Shape::allreduce && shape != Shape::in_place; }
bool in_place(Shape shape) { return shape == Shape::in_place || shape == Shape::allgather_in_place; }

/// Real numbers of many magnitudes, here and there NaN or infinite.
double number_at(std::size_t index, int round) {
  differential::Random random((static_cast<std::uint64_t>(round) << 50U) +
                              (static_cast<std::uint64_t>(rank_in()) << 40U) + index);
  if (random.chance(0.0005)) return random.chance(0.5) ? NAN : INFINITY;
  return (random.unit() - 0.5) * static_cast<double>(1U << random.below(12));
}

/// One call, on buffers in one place.
class Execution {
 public:
  Execution(const Element& element, Shape shape, std::size_t count, int round, Place place)
      : element_(element),
        shape_(shape),
        count_(count),
        total_(gathers(shape) ? count * static_cast<std::size_t>(size_of()) : count),
        send_(place, count * element.bytes, element.bytes),
        receive_(place, total_ * element.bytes, 3 * element.bytes) {
    for (std::size_t i = 0; i < count; ++i) gpu_tests::set_value(element.format, input(), i, number_at(i, round));
  }

  /// The same call, elsewhere.
  Execution(const Execution& other, Place place)
      : element_(other.element_),
        shape_(other.shape_),
        count_(other.count_),
        total_(other.total_),
        send_(place, other.bytes(), element_.bytes),
        receive_(place, total_ * element_.bytes, 3 * element_.bytes) {
    std::memcpy(input(), other.input(), bytes());
  }

  int run(MPI_Op op, MPI_Comm communicator) {
    const auto count = static_cast<int>(count_);
    const void* from = in_place(shape_) ? MPI_IN_PLACE : send_.data();
    if (!gathers(shape_)) return MPI_Allreduce(from, receive_.data(), count, element_.type, op, communicator);
    if (shape_ != Shape::allgatherv) {
      return MPI_Allgather(from, count, element_.type, receive_.data(), count, element_.type, communicator);
    }
    // every other rank gives a third or nothing; the blocks lie the other way round
    const int ranks = size_of();
    std::vector<int> counts;
    std::vector<int> displacements;
    for (int rank = 0; rank < ranks; ++rank) {
      counts.push_back(rank % 2 == 0 ? count : rank % 4 == 1 ? count / 3 : 0);
      displacements.push_back((ranks - 1 - rank) * count);
    }
    return MPI_Allgatherv(from, counts[static_cast<std::size_t>(rank_in())], element_.type, receive_.data(),
                          counts.data(), displacements.data(), element_.type, communicator);
  }

  std::size_t bytes() const { return count_ * element_.bytes; }
  const Buffer& receive() const { return receive_; }
  bool guards_intact() const { return send_.guards_intact() && receive_.guards_intact(); }
  bool same_as(const Execution& other) const {
    return std::memcmp(receive_.host(), other.receive_.host(), total_ * element_.bytes) == 0;
  }

 private:
  std::byte* input() const {
    if (!in_place(shape_)) return send_.host();
    const bool has_place = shape_ == Shape::allgather_in_place;
    return receive_.host() + (has_place ? static_cast<std::size_t>(rank_in()) * bytes() : 0);
  }

  const Element& element_;
  Shape shape_;
  std::size_t count_;
  std::size_t total_;
  Buffer send_;
  Buffer receive_;
};

void compare(const Element& element, MPI_Op op, Shape shape, std::size_t count, int round) {
  Execution on_device(element, shape, count, round, Place::device);
  Execution on_host(on_device, Place::host);
  require(on_device.run(op, MPI_COMM_WORLD) == MPI_SUCCESS, "a call on device buffers");
  require(on_host.run(op, MPI_COMM_WORLD) == MPI_SUCCESS, "a call on host buffers");
  const std::string what = std::to_string(count) + " " + element.name + ", shape " +
                           std::to_string(static_cast<int>(shape)) + ", round " + std::to_string(round);
  require(on_device.guards_intact() && on_host.guards_intact(), what + " wrote beside buffers");
  require(on_device.same_as(on_host), what + " has the bits of the call on host buffers");
}

/// Lengths of one group of segments and less, of many groups, and of rings that are used several times.
void run_same(const Vocabulary& vocabulary) {
  constexpr std::size_t counts[] = {2048, 4097, 59520, 300001, 2500000, 4321};
  int round = 0;
  for (const Element& element : vocabulary.elements()) {
    if (!gpu_tests::is_float(element.format) || element.format == Format::float64) continue;
    for (const Operation* operation : vocabulary.operations(element)) {
      if (operation->meaning == Meaning::prod) continue;
      const bool sums = operation->meaning == Meaning::sum;
      for (const std::size_t count : counts) {
        for (const Shape shape : shapes) {
          if (!sums && (gathers(shape) || count > 100000)) continue;
          if (gathers(shape) && count > 1000000 && element.bytes > 2) continue;  // nothing new, and slow
          compare(element, operation->op, shape, count, ++round);
        }
      }
    }
  }
}

/// Whether every element is the ranks' sum or NaN.
bool right_or_poisoned(const Buffer& receive, std::size_t count, double sum) {
  for (std::size_t i = 0; i < count; ++i) {
    const double value = gpu_tests::value_at(Format::float32, receive.host(), i);
    if (value != sum && !std::isnan(value)) return false;
  }
  return true;
}

void run_failure(const Vocabulary& vocabulary, bool measured) {
  constexpr std::size_t count = 700000;
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  const int failing = std::atoi(std::getenv("FAKE_GPU_FAIL_RANK"));
  int errors = 0;
  for (int i = 0; i < 12; ++i) {
    const Buffer send(Place::device, count * sizeof(float));
    const Buffer receive(Place::device, count * sizeof(float));
    for (std::size_t k = 0; k < count; ++k) gpu_tests::set_value(Format::float32, send.host(), k, 2);
    const int error =
        MPI_Allreduce(send.data(), receive.data(), static_cast<int>(count), MPI_FLOAT, MPI_SUM, communicator);
    if (error != MPI_SUCCESS) {
      ++errors;
    } else {
      require(right_or_poisoned(receive, count, 2.0 * size_of()), "right numbers or NaN");
    }
  }
  require(errors == (rank_in() == failing && !measured ? 1 : 0), "one error, on the rank whose GPU failed");
  for (int round = 0; round < 5; ++round) run(sum_of(vocabulary, Format::float32, 20000, round), communicator);
  for (int round = 0; round < 5; ++round) {
    run(sum_of(vocabulary, Format::float32, 20000, round), communicator, {Place::host, Place::host});
  }
  MPI_Comm_free(&communicator);
}

/// Two lengths in turns, which PoLA learns.
void run_expected(const Vocabulary& vocabulary) {
  constexpr std::size_t counts[] = {20000, 60000};
  const Placement host{.send = Place::host, .receive = Place::host};
  int round = 0;
  const auto call_both = [&](const Placement& placement) {
    for (const std::size_t count : counts) {
      run(sum_of(vocabulary, Format::float32, count, ++round), MPI_COMM_WORLD, placement);
    }
  };
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 100; ++i) call_both(host);
    call_both(rank_in() == size_of() - 1 ? Placement{} : host);
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  {
    const Vocabulary vocabulary;
    const std::string_view mode = argc > 1 ? argv[1] : "same";
    if (mode == "same") run_same(vocabulary);
    if (mode == "expected") run_expected(vocabulary);
    if (mode == "failure" || mode == "measured") run_failure(vocabulary, mode == "measured");
  }
  MPI_Finalize();
  return 0;
}
