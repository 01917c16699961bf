// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// reductions all|some|mixed|late|apart: MPI_Reduce, MPI_Reduce_scatter, MPI_Scan and MPI_Exscan on device buffers,
// where a rank may get nothing, and then has no receive buffer. `all`: every type, operation and length, in place and
// not, to every root. `some`: sums of two types, for many ranks. `mixed`: one rank's buffers lie on the host. `late`:
// one rank comes late to reduces and scans. `apart`: a rank that gets nothing leaves a reduce before the others have
// come, for they wait for a message that it sends afterwards.
#include <unistd.h>

#include <string_view>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr Kind kinds_here[] = {Kind::reduce, Kind::reduce_scatter, Kind::scan, Kind::exscan};

/// Some call must be carried before the ranks have a place to meet.
void meet() {
  const Vocabulary vocabulary;
  for (int round = 0; round < 8; ++round)
    run(call_of(vocabulary, Kind::alltoall, Format::int32, 3000, round), MPI_COMM_WORLD);
}

/// By itself MPICH 4.0 ends a program that reduces a long vector in place to another root than rank 0, or reduces and
/// scatters one in place of which a later rank gets more than rank 0.
#ifdef MPICH_VERSION
constexpr bool shuns_what_mpich_cannot = true;
#else
constexpr bool shuns_what_mpich_cannot = false;
#endif

void run_both_ways(Call call, int& round) {
  for (const bool in_place : {false, true}) {
    call.in_place = in_place && !(shuns_what_mpich_cannot && call.kind == Kind::reduce_scatter);
    call.round = ++round;
    call.root = in_place && shuns_what_mpich_cannot ? 0 : round / 2 % size_of();
    run(call, MPI_COMM_WORLD, {.offset = static_cast<std::size_t>(round % 4)});
  }
}

/// Kind after kind; not all of the rounds that are in place are even.
void run_all_kinds(Call call, int& round) {
  for (const Kind kind : kinds_here) {
    call.kind = kind;
    run_both_ways(call, round);
  }
  ++round;
}

void reduce_all() {
  const Vocabulary vocabulary;
  int round = 0;
  for (const Element& element : vocabulary.elements()) {
    for (const Operation* operation : vocabulary.operations(element)) {
      const bool is_sum = operation->meaning == Meaning::sum;
      for (const std::size_t count : {0, 1, 37, 1501, 60001}) {
        if (count > 2000 && !is_sum) continue;
        run_all_kinds({.element = &element, .operation = operation, .count = count}, round);
      }
    }
  }
}

void reduce_some() {
  const Vocabulary vocabulary;
  int round = 0;
  for (const Format format : {Format::float32, Format::int64})
    for (const std::size_t count : {1, 777, 20011}) run_all_kinds(sum_of(vocabulary, format, count, 0), round);
}

void reduce_mixed() {
  const Vocabulary vocabulary;
  for (int round = 0; round < 40; ++round) {
    Call call = call_of(vocabulary, kinds_here[round / 5 % 4], Format::float64, 3000, round);
    call.root = round % size_of();
    const Place place = rank_in() == round % size_of() ? Place::host : Place::device;
    run(call, MPI_COMM_WORLD, {.send = place, .receive = place});
  }
}

/// For longer than a rank waits for others that natively it does not wait for, at most.
void come_late() {
  constexpr useconds_t long_time = 700000;
  const Vocabulary vocabulary;
  for (int round = 0; round < 24; ++round) {
    Call call = call_of(vocabulary, round % 2 == 0 ? Kind::reduce : Kind::scan, Format::float32, 20000, round);
    call.root = size_of() - 1;
    if (round / 2 == 3 && rank_in() == size_of() - 1) usleep(long_time);
    run(call, MPI_COMM_WORLD);
  }
}

void leave_first() {
  constexpr int tag = 5;
  const Vocabulary vocabulary;
  const int root = size_of() - 1;
  for (int round = 0; round < 60; ++round) {
    if (round % 3 == 0) meet();
    Call call = call_of(vocabulary, Kind::reduce, Format::float32, 100, round);
    call.root = root;
    if (rank_in() == root) MPI_Recv(nullptr, 0, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    run(call, MPI_COMM_WORLD);
    if (rank_in() == 0) MPI_Send(nullptr, 0, MPI_CHAR, root, tag, MPI_COMM_WORLD);
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what != "apart") meet();
  if (what == "all") reduce_all();
  if (what == "some") reduce_some();
  if (what == "mixed") reduce_mixed();
  if (what == "late") come_late();
  if (what == "apart") leave_first();
  MPI_Finalize();
  return 0;
}
