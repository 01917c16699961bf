// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Buffers in different memories: from rank to rank, from send to receive buffer, and from call to call.
#include "mpitests/differential/random.hpp"
#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

/// What all ranks do alike: each in turn, often enough for a decision to be taken in between.
constexpr Placement alike[] = {
    {Place::device, Place::device},
    {Place::host, Place::device},
    {Place::device, Place::host},
    {Place::host, Place::host},
    {Place::managed, Place::managed},
    {Place::device, Place::managed},
    {Place::registered, Place::registered},
    {Place::virtual_mapping, Place::virtual_mapping},
    {Place::device, Place::virtual_mapping},
    {Place::other_context, Place::other_context},
    {Place::device, Place::other_context},
};

Call call_in(const Vocabulary& vocabulary, int round) {
  constexpr Format formats[] = {Format::float32, Format::int64, Format::float16, Format::bfloat16};
  const std::size_t count = round % 7 == 0 ? 20000 : 333;
  Call call = call_of(vocabulary, every_kind[round % kinds], formats[round / kinds % 4], count, round);
  call.in_place = round / kinds % 3 == 1 && call.kind != Kind::bcast;
  call.root = round % size_of();
  return call;
}

void run_alike(const Vocabulary& vocabulary, MPI_Comm communicator) {
  int round = 0;
  for (const Placement& placement : alike) {
    for (int i = 0; i < 20; ++i) run(call_in(vocabulary, round++), communicator, placement);
  }
}

/// Every rank draws its own places. One rank's may be the same for long.
void run_drawn(const Vocabulary& vocabulary) {
  differential::Random random(static_cast<std::uint64_t>(rank_in()) + 77);
  for (int round = 1000; round < 1300; ++round) {
    Placement placement;
    if (random.chance(0.3)) placement.send = static_cast<Place>(random.below(places));
    if (random.chance(0.3)) placement.receive = static_cast<Place>(random.below(places));
    run(call_in(vocabulary, round), MPI_COMM_WORLD, placement);
  }
}

/// One rank alone has host buffers, or those of another context.
void run_one_differs(const Vocabulary& vocabulary) {
  int round = 2000;
  for (const Place place : {Place::host, Place::other_context, Place::managed}) {
    for (int alone = 0; alone < size_of(); ++alone) {
      for (int i = 0; i < 10; ++i) {
        const Place own = rank_in() == alone ? place : Place::device;
        run(call_in(vocabulary, round++), MPI_COMM_WORLD, {.send = own, .receive = own});
      }
    }
  }
}

/// A communicator whose first device buffers are of the other context works with that one.
void run_in_other_context(const Vocabulary& vocabulary) {
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  for (int round = 3000; round < 3020; ++round) {
    run(call_in(vocabulary, round), communicator, {.send = Place::other_context, .receive = Place::other_context});
    run(call_in(vocabulary, round), communicator, {});
  }
  MPI_Comm_free(&communicator);
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const airamp::device_tests::Vocabulary vocabulary;
    airamp::device_tests::run_alike(vocabulary, MPI_COMM_WORLD);
    airamp::device_tests::run_one_differs(vocabulary);
    airamp::device_tests::run_drawn(vocabulary);
    airamp::device_tests::run_in_other_context(vocabulary);
  }
  MPI_Finalize();
  return 0;
}
