// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// managed [alone]: calls on managed memory, beside device memory in the other buffer or on other ranks; `alone`:
// without.
#include <string_view>
#include <vector>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr Format formats[] = {Format::float16, Format::float32, Format::int64};
constexpr std::size_t count = 20011;

std::vector<Placement> placements(bool alone) {
  const bool odd = rank_in() % 2 == 1;
  const Place own = odd ? Place::managed : Place::device;
  std::vector<Placement> all = {{Place::managed, Place::managed}, {Place::managed, Place::managed, 1}};
  if (alone) return all;
  all.push_back({Place::device, Place::managed});
  all.push_back({Place::managed, Place::device});
  all.push_back({own, own});
  all.push_back({own, Place::device});
  return all;
}

void run_all(bool alone) {
  const Vocabulary vocabulary;
  int round = 0;
  for (int repeated = 0; repeated < 4; ++repeated) {
    for (const Placement& placement : placements(alone)) {
      for (const Format format : formats) {
        for (const Kind kind : every_kind) {
          Call call = call_of(vocabulary, kind, format, count, round + 1);
          call.in_place = round++ / kinds % 2 == 1 && kind != Kind::bcast;
          call.root = round % size_of();
          run(call, MPI_COMM_WORLD, placement);
        }
      }
    }
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::device_tests::run_all(argc > 1 && std::string_view(argv[1]) == "alone");
  MPI_Finalize();
  return 0;
}
