// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/communicator_state.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

/// Duplicates of MPI_COMM_WORLD with states, and freed at the end.
class Duplicates {
 public:
  explicit Duplicates(std::size_t number) : comms_(number) {
    for (MPI_Comm& comm : comms_) EXPECT_EQ(native().Comm_dup(MPI_COMM_WORLD, &comm), MPI_SUCCESS);
  }
  ~Duplicates() {
    for (MPI_Comm& comm : comms_) free(comm);
  }
  Duplicates(const Duplicates&) = delete;
  Duplicates& operator=(const Duplicates&) = delete;

  static void free(MPI_Comm& comm) {
    if (comm == MPI_COMM_NULL) return;
    end_communicator_state(comm);
    native().MPI_Comm_free(&comm);
  }
  std::vector<MPI_Comm>& comms() { return comms_; }

 private:
  std::vector<MPI_Comm> comms_;
};

/// In one process of one rank.
void alone(void (*program)()) {
  const Outcome outcome = run_ranks({.ranks = 1}, [&](int /*rank*/) {
    const AirampRank airamp(opted_in());
    program();
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(CommunicatorState, IsKnownOfTheCommunicatorsUsedOfLate) {
  alone([] {
    Duplicates duplicates(LatestCommunicators{}.size() + 1);
    std::set<std::size_t> places;
    for (const MPI_Comm comm : duplicates.comms()) places.insert(place_of(comm));
    EXPECT_GT(places.size(), 1U);  // or nothing is shown here
    for (const MPI_Comm comm : duplicates.comms()) {
      CommunicatorState* const state = communicator_state(comm);
      ASSERT_NE(state, nullptr);
      EXPECT_EQ(state->comm, comm);
      for (const MPI_Comm other : duplicates.comms()) {
        CommunicatorState* const latest = latest_communicator_state(other);
        const MPI_Comm expected = other == comm || latest != nullptr ? other : MPI_COMM_NULL;
        EXPECT_EQ(latest != nullptr ? latest->comm : MPI_COMM_NULL, expected);
      }
    }
    std::size_t known = 0;
    for (const MPI_Comm comm : duplicates.comms()) known += latest_communicator_state(comm) != nullptr ? 1 : 0;
    EXPECT_EQ(known, places.size());
  });
}

TEST(CommunicatorState, IsLookedUpAnewAfterAnyCommunicatorWasFreed) {
  alone([] {
    Duplicates duplicates(2);
    for (const MPI_Comm comm : duplicates.comms()) communicator_state(comm);
    Duplicates::free(duplicates.comms().front());
    const MPI_Comm left = duplicates.comms().back();
    EXPECT_EQ(latest_communicator_state(left), nullptr);
    EXPECT_EQ(communicator_state(left)->comm, left);
    EXPECT_NE(latest_communicator_state(left), nullptr);
  });
}

}  // namespace
}  // namespace airamp::pmpi
