// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// two_level exact|order|lossy|communicators|failure RANKS_PER_HOST: allreduces on the device buffers of several hosts,
// which AIRAMP_RANKS_PER_HOST emulates. `exact`: every type, operation and many lengths, with numbers that no order of
// operations can change. `order`: sums of real numbers have the bits of the type's arithmetic in rank order on each
// host, then in the order of the hosts. `lossy`: every rank has the same bits, near the exact sums. `communicators`: of
// other ranks, where the hosts have different numbers of them as well. `failure`: one rank's GPU fails in the middle of
// a call; nobody waits for ever or gets wrong numbers without an error, and all go on natively.
#include <array>
#include <cmath>
#include <cstdlib>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_device/checked_call/real_numbers.hpp"

namespace airamp::device_tests {
namespace {

/// Shorter than a shard's alignment, with and without a rest, of several chunks between hosts.
constexpr std::size_t lengths[] = {1, 2, 7, 16, 17, 48, 99, 1000, 4096, 20001, 70000, 300003};
constexpr std::size_t several_chunks = 4500001;  // of 4 MiB, for each of three ranks

void run_exact(const Vocabulary& vocabulary, bool sums_alone) {
  int round = 0;
  for (const Element& element : vocabulary.elements()) {
    for (const Operation* operation : vocabulary.operations(element)) {
      const bool sums = operation->meaning == Meaning::sum;
      if (!sums && sums_alone) continue;
      for (const std::size_t count : lengths) {
        if (!sums && count != 17 && count != 4096) continue;
        const Call call{.kind = Kind::allreduce,
                        .element = &element,
                        .operation = operation,
                        .count = count,
                        .in_place = round % 3 == 1,
                        .round = round};
        run(call, MPI_COMM_WORLD, {.offset = round % 2 == 0 ? std::size_t{0} : std::size_t{1}});
        ++round;
      }
    }
  }
  run(sum_of(vocabulary, Format::float32, several_chunks, round), MPI_COMM_WORLD);
  run(sum_of(vocabulary, Format::float16, several_chunks, round), MPI_COMM_WORLD, {.offset = 3});
}

/// A sum as a processor computes it, in float64 or in binary32; rounded to the format in the end.
double sum_in_order(Format format, const std::vector<double>& values) {
  double wide = values[0];
  auto narrow = static_cast<float>(values[0]);
  for (std::size_t i = 1; i < values.size(); ++i) {
    wide += values[i];
    narrow += static_cast<float>(values[i]);
  }
  return format == Format::float64 ? wide : typed(format, static_cast<double>(narrow));
}

double expected_sum(Format format, std::size_t index, int round, int ranks_per_host) {
  std::vector<double> hosts;
  for (int first = 0; first < size_of(); first += ranks_per_host) {
    std::vector<double> ranks;
    for (int rank = first; rank < first + ranks_per_host; ++rank) {
      ranks.push_back(typed(format, input(rank, index, round)));
    }
    hosts.push_back(sum_in_order(format, ranks));
  }
  return sum_in_order(format, hosts);
}

void sum_real_numbers(const Element& element, MPI_Op op, std::size_t count, int round, int ranks_per_host, bool lossy) {
  const Buffer send(Place::device, count * element.bytes);
  const Buffer receive(Place::device, count * element.bytes, element.bytes);
  for (std::size_t i = 0; i < count; ++i) {
    gpu_tests::set_value(element.format, send.host(), i, input(rank_in(), i, round));
  }
  require(MPI_Allreduce(send.data(), receive.data(), static_cast<int>(count), element.type, op, MPI_COMM_WORLD) ==
              MPI_SUCCESS,
          "a sum of real numbers");
  require(send.guards_intact() && receive.guards_intact(), "nothing is written beside the buffers");
  require_same_bits(receive.host(), count * element.bytes);
  double error = 0;
  double norm = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = gpu_tests::value_at(element.format, receive.host(), i);
    const double expected = expected_sum(element.format, i, round, ranks_per_host);
    const bool kept =
        gpu_tests::value_at(element.format, send.host(), i) == typed(element.format, input(rank_in(), i, round));
    require(kept, "the send buffer is as it was");
    require(lossy || value == expected, std::to_string(count) + " " + element.name + ", element " + std::to_string(i));
    error += (value - expected) * (value - expected);
    norm += expected * expected;
  }
  require(error <= 0.06 * 0.06 * norm, "an error of two quantisations");
}

void run_order(const Vocabulary& vocabulary, int ranks_per_host, bool lossy) {
  int round = 100;
  for (const Element& element : vocabulary.elements()) {
    if (!gpu_tests::is_float(element.format) || (lossy && element.format == Format::float64)) continue;
    for (const Operation* operation : vocabulary.operations(element)) {
      if (operation->meaning != Meaning::sum) continue;
      for (const std::size_t count : {601, 8192, 50003}) {
        sum_real_numbers(element, operation->op, count, ++round, ranks_per_host, lossy);
      }
    }
  }
}

/// A half that overflows on its host stays infinite.
void run_overflow(const Vocabulary& vocabulary, int ranks_per_host) {
  const Call call = sum_of(vocabulary, Format::float16, 500, 0);
  const Buffer buffer(Place::device, call.count * call.element->bytes);
  const double value = rank_in() < ranks_per_host ? 40000 : -40000.0 / ranks_per_host;
  for (std::size_t i = 0; i < call.count; ++i) gpu_tests::set_value(Format::float16, buffer.host(), i, value);
  MPI_Allreduce(MPI_IN_PLACE, buffer.data(), static_cast<int>(call.count), call.element->type, call.operation->op,
                MPI_COMM_WORLD);
  for (std::size_t i = 0; i < call.count; ++i) {
    require(std::isinf(gpu_tests::value_at(Format::float16, buffer.host(), i)), "an infinite sum");
  }
}

void use(const Vocabulary& vocabulary, MPI_Comm communicator, int round) {
  if (communicator == MPI_COMM_NULL) return;
  for (const std::size_t count : {5, 1000, 100001}) {
    run(sum_of(vocabulary, Format::float32, count, round), communicator);
    run(sum_of(vocabulary, Format::int64, count, round), communicator);
    run(call_of(vocabulary, Kind::bcast, Format::float32, count, round), communicator);
  }
}

void run_communicators(const Vocabulary& vocabulary) {
  const int rank = rank_in();
  const int size = size_of();
  MPI_Comm duplicate = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  for (int round = 0; round < 8; ++round) {
    // all but the last two: of some hosts all ranks, of another fewer; the ranks the other way round; every second one
    const std::array<std::array<int, 2>, 4> parts{{{rank < size - 2 ? 0 : MPI_UNDEFINED, rank},
                                                   {0, -rank},
                                                   {rank % 2, rank},
                                                   {rank != 1 && rank != size - 1 ? 0 : MPI_UNDEFINED, rank}}};
    const auto& [part, key] = parts[static_cast<std::size_t>(round) % parts.size()];
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, part, key, &communicator);
    use(vocabulary, duplicate, round);
    use(vocabulary, communicator, 10 + round);
    use(vocabulary, MPI_COMM_WORLD, 20 + round);
    if (communicator != MPI_COMM_NULL) MPI_Comm_free(&communicator);
  }
  MPI_Comm_free(&duplicate);
}

/// All ranks have an error; or those of the host whose rank failed in the last step; or that rank alone, if it had sent
/// all its data by then.
void run_failure(const Vocabulary& vocabulary, int ranks_per_host) {
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  const int failing = std::atoi(std::getenv("FAKE_GPU_FAIL_RANK"));
  const Call call = sum_of(vocabulary, Format::float32, 20000, 1);
  int failed = 0;
  for (int i = 0; i < 40 && failed == 0; ++i) {
    const int own = run_exactly(call, communicator, {}) != MPI_SUCCESS ? 1 : 0;
    MPI_Allreduce(&own, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const bool same_host = rank_in() / ranks_per_host == failing / ranks_per_host;
    const bool concerned = failed == 1 ? rank_in() == failing : same_host;
    require(failed == 0 || failed == size_of() || own == (concerned ? 1 : 0),
            "an error on all ranks, on a host's, or on the failing one");
  }
  require(failed > 0, "the failure was an MPI error");
  for (int round = 0; round < 5; ++round) {
    for (const Kind kind : every_kind) {
      run(call_of(vocabulary, kind, Format::float32, 3000, round), communicator);
      run(call_of(vocabulary, kind, Format::float32, 3000, round), communicator, {Place::host, Place::host});
    }
  }
  MPI_Comm_free(&communicator);
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  {
    const Vocabulary vocabulary;
    const std::string_view mode = argc > 1 ? argv[1] : "exact";
    const int ranks_per_host = argc > 2 ? std::atoi(argv[2]) : 2;
    if (mode == "exact") run_exact(vocabulary, false);
    if (mode == "order") run_order(vocabulary, ranks_per_host, false);
    if (mode == "order") run_overflow(vocabulary, ranks_per_host);
    if (mode == "lossy") run_exact(vocabulary, true);
    if (mode == "lossy") run_order(vocabulary, ranks_per_host, true);
    if (mode == "communicators") run_communicators(vocabulary);
    if (mode == "failure") run_failure(vocabulary, ranks_per_host);
  }
  MPI_Finalize();
  return 0;
}
