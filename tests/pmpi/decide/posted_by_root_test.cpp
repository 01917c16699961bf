// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/unsynchronized/posted_by_root.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "pmpi/call/movements/bcast_call.hpp"
#include "pmpi/decide/call.hpp"
#include "pmpi/entry/hooks.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::Each;

constexpr int ranks = 3;
constexpr int root = 1;

/// Broadcasts of 2000 bytes, each with another value, right behind a call that all wait for.
class Broadcasts {
 public:
  explicit Broadcasts(int rank) : rank_(rank), values_(500) {}

  void call() {
    std::vector<float> sums(2);
    allreduce(sums);
    values_.assign(values_.size(), rank_ == root ? ++calls_ : -1);
    if (rank_ != root) ++calls_;
    EXPECT_EQ(on_MPI_Bcast(values_.data(), static_cast<int>(values_.size()), MPI_INT, root, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_THAT(values_, Each(calls_));
  }

  GatedCalls& gated() {
    CommunicatorState& state = *find_communicator_state(MPI_COMM_WORLD);
    const BcastCall call(values_.data(), static_cast<MPI_Count>(values_.size()), MPI_INT, root, MPI_COMM_WORLD, false);
    return *find_gated_calls(state, gate_key_of(call, call.bytes()));
  }

 private:
  int rank_;
  int calls_ = 0;
  std::vector<int> values_;
};

SignatureState& signature_of_broadcasts() {
  for (auto& [key, signature] : find_communicator_state(MPI_COMM_WORLD)->signatures)
    if (key.kind == Kind::bcast) return signature;
  throw std::runtime_error("no broadcast was looked at");
}

// While agreements pause nobody is asked about a decision that is to be looked at again: what was found to be faster
// goes on, but for one call in 16, by which the pause ends.
TEST(PostedByRoot, GoesOnWhileAgreementsPause) {
  const Outcome outcome = run_ranks({.ranks = ranks, .seed = 3, .shared_memory = true}, [](int rank) {
    const AirampRank airamp({.warmup_iterations = 1});
    ::airamp::testing::set_costs({.collective_seconds = 1});
    come_to_meet();
    Broadcasts broadcasts(rank);
    CommunicatorState& state = *find_communicator_state(MPI_COMM_WORLD);
    constexpr int enough_to_decide = 60;
    for (int call = 0; call < enough_to_decide; ++call) broadcasts.call();
    ASSERT_TRUE(state.posted_by_root.any(Kind::bcast));
    SignatureState& signature = signature_of_broadcasts();
    signature.tuner.count_calls(std::uint64_t{1} << 60U);
    ASSERT_NE(signature.tuner.next(), tuner::SignatureTuner::Step::choice);
    GatedCalls& gated = broadcasts.gated();
    gated.gate.pause(3);
    gated.posted_meanwhile = 0;

    const std::uint64_t tuned = signature.tuning_calls;
    const std::uint64_t carried = signature.accelerated_calls;
    for (int call = 1; call <= 48; ++call) {
      broadcasts.call();
      EXPECT_EQ(signature.accelerated_calls, carried + static_cast<std::uint64_t>(call - call / 16)) << call;
      EXPECT_EQ(gated.gate.is_paused(), call < 48) << call;
    }
    EXPECT_EQ(signature.tuning_calls, tuned);
    // now they are asked again, natively alone at first
    constexpr int enough_to_look = 20;
    for (int call = 0; call < enough_to_look; ++call) broadcasts.call();
    EXPECT_GT(signature.tuning_calls, tuned);
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
