// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// alignment all|last: device buffers that are not aligned to their elements, on all ranks or on the last one alone,
// and in turns with them aligned ones. Everything is right, and no kernel is given an element that it cannot load: the
// fake GPU looks after that.
#include <string_view>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr std::size_t count = 20011;

struct Misalignment {
  Format format;
  std::size_t bytes;
};
constexpr Misalignment misalignments[] = {
    {Format::float16, 1}, {Format::bfloat16, 3}, {Format::float32, 1}, {Format::float32, 2}, {Format::int64, 4}};

void run_all(bool last_rank_alone) {
  const Vocabulary vocabulary;
  const bool misaligned = !last_rank_alone || rank_in() == size_of() - 1;
  int round = 0;
  for (const auto& [format, bytes] : misalignments) {
    for (const Kind kind : every_kind) {
      for (const bool in_place : {false, true}) {
        Call call = call_of(vocabulary, kind, format, count, ++round);
        call.in_place = in_place && kind != Kind::bcast;
        call.root = round % size_of();
        // one of two buffers
        const bool input = !in_place && round / 2 % 2 == 0;
        const std::size_t beside = misaligned ? bytes : 0;
        run(call, MPI_COMM_WORLD, {.send_bytes = input ? beside : 0, .receive_bytes = input ? 0 : beside});
        run(call, MPI_COMM_WORLD);
      }
    }
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::device_tests::run_all(argc > 1 && std::string_view(argv[1]) == "last");
  MPI_Finalize();
  return 0;
}
