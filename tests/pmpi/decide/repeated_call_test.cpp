// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/repeated_call.hpp"

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pmpi/algorithm/abilities/staged_exchange.hpp"
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
  const Shortcut* const known =
      find_communicator_state(MPI_COMM_WORLD)->shortcuts->find(*sum_of(values).arguments());
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

}  // namespace
}  // namespace airamp::pmpi
