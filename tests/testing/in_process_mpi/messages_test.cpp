// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <vector>

#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/persistent_request.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"

namespace airamp::testing {
namespace {

using pmpi::PersistentRequest;
using ::testing::HasSubstr;

class InProcessMessages : public ::testing::TestWithParam<std::uint64_t> {};

// Whatever the seed: messages of one sender do not overtake each other, and what is sent is what is received.
TEST_P(InProcessMessages, ArriveInOrder) {
  constexpr int messages = 20;
  const Outcome outcome = run_ranks({.ranks = 3, .seed = GetParam()}, [](int rank) {
    for (int peer = 0; peer < 3; ++peer) {
      if (peer == rank) continue;
      int value = 0;
      int sent = 0;
      PersistentRequest receive;
      PersistentRequest send;
      EXPECT_EQ(receive.initialise_receive(&value, sizeof value, peer, 5, MPI_COMM_WORLD), MPI_SUCCESS);
      EXPECT_EQ(send.initialise_send(&sent, sizeof sent, peer, 5, MPI_COMM_WORLD), MPI_SUCCESS);
      for (int i = 0; i < messages; ++i) {
        sent = 100 * rank + i;
        EXPECT_EQ(receive.start(), MPI_SUCCESS);
        EXPECT_EQ(send.start(), MPI_SUCCESS);
        EXPECT_EQ(send.wait(), MPI_SUCCESS);
        EXPECT_EQ(receive.wait(), MPI_SUCCESS);
        EXPECT_EQ(value, 100 * peer + i);
      }
    }
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

TEST_P(InProcessMessages, AreSentAndReceivedInOneCallEach) {
  const Outcome outcome = run_ranks({.ranks = 2, .seed = GetParam()}, [](int rank) {
    constexpr int tag = 5;
    int value = rank == 0 ? 42 : 0;
    const int error = rank == 0
                          ? pmpi::native().MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD)
                          : pmpi::native().MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT_EQ(error, MPI_SUCCESS);
    EXPECT_EQ(value, 42);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

TEST_P(InProcessMessages, TagsTellThemApart) {
  const Outcome outcome = run_ranks({.ranks = 2, .seed = GetParam()}, [](int rank) {
    int first = rank == 0 ? 1 : 0;
    int second = rank == 0 ? 2 : 0;
    PersistentRequest one;
    PersistentRequest two;
    if (rank == 0) {
      one.initialise_send(&first, sizeof first, 1, 1, MPI_COMM_WORLD);
      two.initialise_send(&second, sizeof second, 1, 2, MPI_COMM_WORLD);
    } else {
      two.initialise_receive(&second, sizeof second, 0, 2, MPI_COMM_WORLD);
      one.initialise_receive(&first, sizeof first, 0, 1, MPI_COMM_WORLD);
    }
    two.start();
    one.start();
    EXPECT_EQ(one.wait(), MPI_SUCCESS);
    EXPECT_EQ(two.wait(), MPI_SUCCESS);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 2);
  });
  EXPECT_EQ(outcome.trouble, "");
}

INSTANTIATE_TEST_SUITE_P(Seeds, InProcessMessages, ::testing::Range<std::uint64_t>(1, 6));

TEST(InProcessReceives, CanBeCancelledWhileTheyWait) {
  const Outcome outcome = run_ranks({.ranks = 2}, [](int rank) {
    int value = 0;
    PersistentRequest receive;
    receive.initialise_receive(&value, sizeof value, 1 - rank, 0, MPI_COMM_WORLD);
    receive.start();
    EXPECT_EQ(receive.cancel(), MPI_SUCCESS);
    EXPECT_FALSE(receive.active());
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

TEST(InProcessReceives, ThatAreTooShortAreAMisuse) {
  const Outcome outcome = run_ranks({.ranks = 2}, [](int rank) {
    std::array<char, 8> bytes{};
    PersistentRequest request;
    if (rank == 0) {
      request.initialise_send(bytes.data(), 8, 1, 0, MPI_COMM_WORLD);
    } else {
      request.initialise_receive(bytes.data(), 7, 0, 0, MPI_COMM_WORLD);
    }
    request.start();
    request.wait();
  });
  EXPECT_THAT(outcome.trouble, HasSubstr("longer than its receive"));
}

}  // namespace
}  // namespace airamp::testing
