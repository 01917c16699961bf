// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The functions that the application calls, behind the entry points. What they carry is tested elsewhere: here it is
// that each of them counts its calls, makes a call of its arguments, and gives back what MPI would.
#include "pmpi/entry/hooks.hpp"

#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <numeric>

#include "pmpi/job/job.hpp"
#include "pmpi/mpi/functions.hpp"
#include "tests/pmpi/entry/environment.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::Each;

constexpr int ranks = 3;
constexpr int elements = 400;

std::uint64_t calls_of(Function function) { return job().counters.calls(static_cast<std::size_t>(function)); }

/// A program on every rank: `body` between MPI_Init and MPI_Finalize.
void run_application(const std::map<std::string, std::string>& variables, const std::function<void(int rank)>& body) {
  const Environment environment(variables);
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    ASSERT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    body(rank);
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

/// Whether every rank's part of a gather holds the number of that rank.
bool gathered(const std::vector<float>& all) {
  for (int rank = 0; rank < ranks; ++rank) {
    for (int i = 0; i < elements; ++i) {
      if (all[static_cast<std::size_t>(rank * elements + i)] != static_cast<float>(rank)) return false;
    }
  }
  return true;
}

class Hooks : public ::testing::TestWithParam<bool> {
 protected:
  static std::map<std::string, std::string> variables() {
    return GetParam() ? compressed() : std::map<std::string, std::string>();
  }
};

TEST_P(Hooks, Allreduce) {
  run_application(variables(), [](int) {
    const std::vector<float> ones(elements, 1);
    std::vector<float> sum(elements);
    EXPECT_EQ(on_MPI_Allreduce(ones.data(), sum.data(), elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_THAT(sum, Each(3.0F));
    EXPECT_EQ(calls_of(Function::MPI_Allreduce), 1U);
  });
}

TEST_P(Hooks, AllgatherAndAllgatherv) {
  run_application(variables(), [](int rank) {
    const std::vector<float> own(elements, static_cast<float>(rank));
    std::vector<float> all(ranks * elements, -1);
    EXPECT_EQ(on_MPI_Allgather(own.data(), elements, MPI_FLOAT, all.data(), elements, MPI_FLOAT, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_TRUE(gathered(all));
    EXPECT_EQ(calls_of(Function::MPI_Allgather), 1U);

    const std::array<int, ranks> lengths = {elements, elements, elements};
    const std::array<int, ranks> places = {0, elements, 2 * elements};
    all.assign(all.size(), -1);
    EXPECT_EQ(on_MPI_Allgatherv(own.data(), elements, MPI_FLOAT, all.data(), lengths.data(), places.data(), MPI_FLOAT,
                                MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_TRUE(gathered(all));
    EXPECT_EQ(calls_of(Function::MPI_Allgatherv), 1U);
  });
}

TEST_P(Hooks, Bcast) {
  run_application(variables(), [](int rank) {
    std::vector<float> values(elements, static_cast<float>(rank));
    EXPECT_EQ(on_MPI_Bcast(values.data(), elements, MPI_FLOAT, 2, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_THAT(values, Each(2.0F));
    EXPECT_EQ(calls_of(Function::MPI_Bcast), 1U);
  });
}

TEST_P(Hooks, ReduceScatterBlock) {
  run_application(variables(), [](int rank) {
    std::vector<float> values(ranks * elements);
    std::iota(values.begin(), values.end(), 0.0F);
    std::vector<float> part(elements);
    EXPECT_EQ(on_MPI_Reduce_scatter_block(values.data(), part.data(), elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_EQ(part.front(), 3.0F * static_cast<float>(rank * elements));
    EXPECT_EQ(part.back(), 3.0F * static_cast<float>((rank + 1) * elements - 1));
    EXPECT_EQ(calls_of(Function::MPI_Reduce_scatter_block), 1U);
  });
}

TEST_P(Hooks, FreeACommunicatorWithWhatIsKnownOfIt) {
  run_application(variables(), [](int) {
    MPI_Comm copy = MPI_COMM_NULL;
    ASSERT_EQ(native().Comm_dup(MPI_COMM_WORLD, &copy), MPI_SUCCESS);
    std::vector<float> values(elements, 1);
    EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, values.data(), elements, MPI_FLOAT, MPI_SUM, copy), MPI_SUCCESS);
    EXPECT_THAT(values, Each(3.0F));
    EXPECT_EQ(on_MPI_Comm_free(&copy), MPI_SUCCESS);
    EXPECT_EQ(copy, MPI_COMM_NULL);
    EXPECT_EQ(calls_of(Function::MPI_Comm_free), 1U);
  });
}

INSTANTIATE_TEST_SUITE_P(WithoutAndWithCompression, Hooks, ::testing::Bool());

TEST(HooksOfOneCommunicator, TakeItsInfoKeys) {
  run_application({{"AIRAMP_MIN_BYTES", "1024"}, {"AIRAMP_LOSSY_TYPES", "float32"}}, [](int) {
    MPI_Comm copy = MPI_COMM_NULL;
    ASSERT_EQ(native().Comm_dup(MPI_COMM_WORLD, &copy), MPI_SUCCESS);
    const MPI_Info info = ::airamp::testing::make_info({{"airamp_compress", "true"}, {"airamp_force", "mpi-two-shot"}});
    EXPECT_EQ(on_MPI_Comm_set_info(copy, info), MPI_SUCCESS);
    std::vector<float> values(elements, 1);
    EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, values.data(), elements, MPI_FLOAT, MPI_SUM, copy), MPI_SUCCESS);
    EXPECT_THAT(values, Each(3.0F));
    ASSERT_NE(only_signature(copy), nullptr);
    EXPECT_EQ(only_signature(copy)->accelerated_calls, 1U);
    EXPECT_EQ(on_MPI_Comm_disconnect(&copy), MPI_SUCCESS);
  });
}

// Ranks 0 and 1 look up another communicator between the calls, and so find no shortcut for the next one: that is
// their own affair. All ranks have to find the same communicator worth its shared memory at the same call.
TEST(RepeatedCalls, AreCountedAlikeWhateverWasLookedUpBetweenThem) {
  run_application({{"AIRAMP_ENABLE_FP8_ALLREDUCE", "true"}, {"AIRAMP_MIN_BYTES", "1024"}}, [](int rank) {
    MPI_Comm pair = MPI_COMM_NULL;
    ASSERT_EQ(native().Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : 1, rank, &pair), MPI_SUCCESS);
    std::vector<char> values(4096, 1);
    for (int call = 0; call < 32; ++call) {
      if (rank < 2) {
        EXPECT_EQ(on_MPI_Barrier(pair), MPI_SUCCESS);
      }
      EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, values.data(), 4096, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD),
                MPI_SUCCESS);
    }
    const CommunicatorState* const state = communicator_state(MPI_COMM_WORLD);
    ASSERT_NE(state, nullptr);
    EXPECT_EQ(state->calls_for_shared_memory, 32U);
    for (int call = 0; call < 4; ++call) EXPECT_EQ(on_MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(on_MPI_Comm_free(&pair), MPI_SUCCESS);
  });
}

TEST(HooksOfMissingFunctions, AreErrorsOfTheCommunicator) {
  run_application({{"AIRAMP_LOG_LEVEL", "error"}}, [](int) {
    native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Op op = MPI_OP_NULL;
    EXPECT_EQ(on_MPI_Op_create_c(nullptr, 1, &op), MPI_ERR_OTHER);
    EXPECT_EQ(on_MPIX_Comm_revoke(MPI_COMM_WORLD), MPI_ERR_OTHER);
    EXPECT_EQ(calls_of(Function::MPI_Op_create_c), 1U);
  });
}

TEST(Pcontrol, SwitchesThisRankOffAndOnAgain) {
  run_application({}, [](int) {
    EXPECT_TRUE(job().wanted);
    on_pcontrol(0);
    EXPECT_FALSE(job().wanted);
    on_pcontrol(7);
    EXPECT_FALSE(job().wanted);
    on_pcontrol(1);
    EXPECT_TRUE(job().wanted);
  });
}

}  // namespace
}  // namespace airamp::pmpi
