// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/repeated_call.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/call/movements/rooted_movement.hpp"
#include "pmpi/call/reductions/scan_call.hpp"
#include "pmpi/entry/hooks.hpp"
#include "tests/pmpi/entry/environment.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::Each;

constexpr int ranks = 2;

AllreduceCall sum_of(std::vector<int>& values) {
  return AllreduceCall(MPI_IN_PLACE, values.data(), static_cast<MPI_Count>(values.size()), MPI_INT, MPI_SUM,
                       MPI_COMM_WORLD, false);
}

void expect_right_sum(std::size_t elements) {
  std::vector<int> values(elements, 1);
  EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(elements), MPI_INT, MPI_SUM, MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_THAT(values, Each(ranks));
}

/// What carries calls like this, by the shortcut that the latest of them took; nullptr if there is none.
StagedExchange* known_exchange(std::size_t elements) {
  std::vector<int> values(elements);
  const Shortcut* const known = find_communicator_state(MPI_COMM_WORLD)->shortcuts->find(*sum_of(values).arguments());
  return known != nullptr ? known->exchange : nullptr;
}

// A signature whose calls were measured and found better left native gives its algorithms back, and acquires others
// once they measure better again. Calls of a length that did not occur meanwhile still have their shortcuts.
TEST(RepeatedCall, GoesByTheAlgorithmThatIsHeldNow) {
  const Environment environment(std::map<std::string, std::string>{{"AIRAMP_FORCE", "shared-memory"}});
  const Outcome outcome = run_ranks({.ranks = ranks}, [](int) {
    ASSERT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    constexpr std::size_t often = 100;
    constexpr std::size_t other = 120;  // of the same signature
    for (int call = 0; call < 3; ++call) expect_right_sum(often);
    SignatureState* const signature = only_signature();
    ASSERT_NE(signature, nullptr);
    const std::unique_ptr<Algorithm> given_back = std::move(signature->algorithms[signature->imposed_choice]);
    ASSERT_NE(given_back, nullptr);
    ASSERT_EQ(known_exchange(often), given_back->staged_exchange());
    signature->release();
    expect_right_sum(other);
    expect_right_sum(often);
    const std::unique_ptr<Algorithm>& held = signature->algorithms[signature->imposed_choice];
    ASSERT_NE(held, nullptr);
    EXPECT_EQ(known_exchange(often), held->staged_exchange());
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
}

/// What a gather leaves at its root. What only the root gives is nonsense elsewhere.
std::vector<int> gathered(const std::vector<int>& own, int root, int rank, bool in_place) {
  const int count = static_cast<int>(own.size());
  std::vector<int> all(own.size() * ranks, -1);
  if (rank != root) {
    EXPECT_EQ(on_MPI_Gather(own.data(), count, MPI_INT, nullptr, -7, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD),
              MPI_SUCCESS);
  } else if (in_place) {
    std::copy(own.begin(), own.end(), all.begin() + root * count);
    EXPECT_EQ(on_MPI_Gather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, all.data(), count, MPI_INT, root, MPI_COMM_WORLD),
              MPI_SUCCESS);
  } else {
    EXPECT_EQ(on_MPI_Gather(own.data(), count, MPI_INT, all.data(), count, MPI_INT, root, MPI_COMM_WORLD), MPI_SUCCESS);
  }
  return all;
}

void scan(int count) {
  std::vector<int> values(static_cast<std::size_t>(count), 1);
  EXPECT_EQ(on_MPI_Scan(MPI_IN_PLACE, values.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
}

template <class Samples>
void record_only(Samples& samples, double seconds) {
  for (int sample = 0; sample < 1000; ++sample) samples.record(seconds);
}

// The agreed time of a native scan is that of the last rank, for which natively no other one waits.
TEST(RepeatedCall, OfAScanGainsWhatItDoesOnThisRank) {
  const Environment environment(std::map<std::string, std::string>{{"AIRAMP_FORCE", "shared-memory"}});
  const Outcome outcome = run_ranks({.ranks = ranks}, [](int rank) {
    ASSERT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    scan(5);
    SignatureState* const signature = only_signature();
    ASSERT_NE(signature, nullptr);
    record_only(signature->native_seconds, 100e-6);
    record_only(signature->own_native_seconds, rank == 0 ? 1e-6 : 60e-6);
    record_only(signature->airamp_seconds, 20e-6);
    scan(6);
    const ScanCall last(ScanCall::Ranks::including_own, MPI_IN_PLACE, nullptr, 6, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                        false);
    const Shortcut* const known = find_communicator_state(MPI_COMM_WORLD)->shortcuts->find(*last.arguments());
    ASSERT_NE(known, nullptr);
    EXPECT_DOUBLE_EQ(known->gain_seconds, rank == 0 ? 0 : 40e-6);
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(RepeatedCall, OfAGatherGoesByWhatMattersOnEachRank) {
  const Environment environment(std::map<std::string, std::string>{{"AIRAMP_FORCE", "shared-memory"}});
  const Outcome outcome = run_ranks({.ranks = ranks}, [](int rank) {
    ASSERT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    constexpr int turns = 4;
    int value = 0;
    for (const std::size_t elements : {5U, 7U, 5U}) {
      for (int root = 0; root < ranks; ++root) {
        for (const bool in_place : {false, true, false}) {
          for (int turn = 0; turn < turns; ++turn, ++value) {
            const std::vector<int> all =
                gathered(std::vector<int>(elements, 1000 * rank + value), root, rank, in_place);
            if (rank != root) continue;
            for (std::size_t i = 0; i < all.size(); ++i)
              ASSERT_EQ(all[i], static_cast<int>(1000 * (i / elements)) + value);
          }
        }
      }
    }
    ASSERT_NE(only_signature(), nullptr);
    EXPECT_EQ(only_signature()->accelerated_calls, static_cast<std::uint64_t>(value));
    const RootedGatherCall last(nullptr, 5, MPI_INT, nullptr, 5, MPI_INT, ranks - 1, MPI_COMM_WORLD, false);
    const Shortcut* const known = find_communicator_state(MPI_COMM_WORLD)->shortcuts->find(*last.arguments());
    ASSERT_NE(known, nullptr);
    EXPECT_NE(known->exchange, nullptr);
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
