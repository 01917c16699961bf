// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// apart: the root of a broadcast leaves it while others have not come, who wait for a message that it sends afterwards.
// MPI does not promise that it works; MPI libraries let short broadcasts, and programs rely on it.
#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"

namespace airamp::device_tests {
namespace {

constexpr int root = 0;
constexpr int tag = 5;

class Program {
 public:
  void run_all() {
    // before the ranks have met, and after they have: for one kind of memory, and for both
    for (const Place place : {Place::host, Place::device}) root_leaves_first(place);
    for (const Place place : {Place::host, Place::device}) {
      for (int i = 0; i < 60; ++i) run_together(Kind::allreduce, place);
      for (const Place between : {Place::host, Place::device}) {
        for (int i = 0; i < 40; ++i) {
          for (int together = 0; together < 3; ++together) run_together(Kind::bcast, between);
          root_leaves_first(between);
          if (i % 3 == 0) run_together(Kind::allreduce, place);
        }
      }
    }
  }

 private:
  void run_together(Kind kind, Place place) {
    run(call_of(vocabulary_, kind, Format::int32, 100, ++calls_), MPI_COMM_WORLD, {.send = place, .receive = place});
  }

  void root_leaves_first(Place place) {
    if (rank_in() != root) MPI_Recv(nullptr, 0, MPI_CHAR, root, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    run_together(Kind::bcast, place);
    if (rank_in() != root) return;
    for (int rank = 0; rank < size_of(); ++rank) {
      if (rank != root) MPI_Send(nullptr, 0, MPI_CHAR, rank, tag, MPI_COMM_WORLD);
    }
  }

  Vocabulary vocabulary_;
  int calls_ = 0;
};

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::device_tests::Program().run_all();
  MPI_Finalize();
  return 0;
}
