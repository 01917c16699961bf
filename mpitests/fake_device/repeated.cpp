// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The same calls again and again, until the tuner has decided: whatever it measures and decides, results are right.
#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  {
    const Vocabulary vocabulary;
    for (int round = 0; round < 24; ++round) {
      for (const Format format : {Format::float16, Format::float32, Format::float64}) {
        for (const Kind kind : every_kind) {
          for (const std::size_t count : {std::size_t{150}, std::size_t{30000}}) {
            Call call = call_of(vocabulary, kind, format, count, round);
            call.in_place = round % 2 == 1 && kind != Kind::bcast;
            call.root = round % size_of();
            run(call, MPI_COMM_WORLD, {.offset = static_cast<std::size_t>(round % 4)});
          }
        }
      }
    }
  }
  MPI_Finalize();
  return 0;
}
