// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// collectives [sums]: every kind of collective on device buffers, with every type and operation, in and out of place,
// of odd lengths, on unaligned addresses, and empty. `sums`: sums of floating-point numbers alone.
#include <cstring>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr std::size_t lengths[] = {0, 1, 37, 20011};
constexpr std::size_t long_length = 60001;

void run_both_ways(Call call, int& round) {
  for (const bool in_place : {false, true}) {
    call.in_place = in_place && call.kind != Kind::bcast;
    call.round = ++round;
    call.root = round % size_of();
    run(call, MPI_COMM_WORLD, {.offset = static_cast<std::size_t>(round % 3)});
  }
}

void run_kind(Kind kind, const Element& element, const Operation* operation, int& round) {
  for (const std::size_t length : lengths) {
    run_both_ways({.kind = kind, .element = &element, .operation = operation, .count = length}, round);
  }
  if (operation == nullptr || operation->meaning == Meaning::sum) {
    run_both_ways({.kind = kind, .element = &element, .operation = operation, .count = long_length}, round);
  }
}

void run_all(bool sums) {
  const Vocabulary vocabulary;
  int round = 0;
  for (const Element& element : vocabulary.elements()) {
    if (sums && !gpu_tests::is_float(element.format)) continue;
    for (const Kind kind : {Kind::alltoallv, Kind::alltoallw}) {
      if (!sums) run_kind(kind, element, nullptr, round);
    }
    for (const Kind kind : every_kind) {
      if (!Call{.kind = kind}.reduces()) {
        run_kind(kind, element, nullptr, round);
        continue;
      }
      for (const Operation* operation : vocabulary.operations(element)) {
        if (!sums || operation->meaning == Meaning::sum) run_kind(kind, element, operation, round);
      }
    }
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::device_tests::run_all(argc > 1 && std::strcmp(argv[1], "sums") == 0);
  MPI_Finalize();
  return 0;
}
