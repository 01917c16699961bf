// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/unasked_calls.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

constexpr std::uint64_t min_bytes = 1U << 20U;

AskingJob job_on_hosts() { return {.on = true, .min_bytes = min_bytes}; }

Reason why(const AskingJob& job, Kind kind, std::uint64_t max_bytes, bool opted_in) {
  return why_not_asked(job, {.kind = kind, .max_bytes = max_bytes, .opted_in = opted_in}).reason;
}

TEST(UnaskedCalls, AreSmallWhetherCompressionIsEnabledOrNot) {
  for (const bool opted_in : {false, true}) {
    EXPECT_EQ(why(job_on_hosts(), Kind::allreduce, 15, opted_in), Reason::below_min_bytes);
    EXPECT_EQ(why(job_on_hosts(), Kind::allgather, min_bytes - 1, opted_in), Reason::below_min_bytes);
  }
  EXPECT_EQ(to_text(why_not_asked(job_on_hosts(), {.kind = Kind::allreduce, .max_bytes = 15})),
            "smaller than min_bytes");
}

TEST(UnaskedCalls, AreNotCompressedWhereNobodyOptedIn) {
  EXPECT_EQ(why(job_on_hosts(), Kind::allreduce, 2 * min_bytes - 1, false), Reason::compression_off);
  EXPECT_EQ(why(job_on_hosts(), Kind::allgatherv, 2 * min_bytes - 1, false), Reason::compression_off);
}

TEST(UnaskedCalls, OfCollectivesForGpusAloneNeedGpus) {
  EXPECT_EQ(why(job_on_hosts(), Kind::bcast, 8, true), Reason::no_gpus);
  EXPECT_EQ(why(job_on_hosts(), Kind::reduce_scatter_block, 2 * min_bytes, false), Reason::no_gpus);
  EXPECT_EQ(why(job_on_hosts(), Kind::reduce, 8, false), Reason::no_gpus);
}

TEST(UnaskedCalls, OfWhatIsNotForGpusArePassedThrough) {
  AskingJob job = job_on_hosts();
  for (const bool gpus : {false, true}) {
    job.gpus = gpus;
    EXPECT_EQ(why(job, Kind::barrier, 0, false), Reason::function_passed_through);
  }
}

TEST(UnaskedCalls, MayGoThroughSharedMemoryInstead) {
  AskingJob job = job_on_hosts();
  job.shared_memory = true;
  EXPECT_EQ(why(job, Kind::bcast, 8, false), Reason::not_asked);
  EXPECT_EQ(why(job, Kind::reduce, 8, false), Reason::not_asked);
}

TEST(UnaskedCalls, OfOneHostMayAllGoThroughSharedMemory) {
  AskingJob job = job_on_hosts();
  job.shared_memory = true;
  EXPECT_EQ(why(job, Kind::allreduce, 15, false), Reason::below_min_bytes);
  EXPECT_EQ(why(job, Kind::allreduce, 2 * min_bytes - 1, false), Reason::compression_off);
  job.one_host = true;
  EXPECT_EQ(why(job, Kind::allreduce, 15, false), Reason::not_asked);
  EXPECT_EQ(why(job, Kind::allreduce, 2 * min_bytes - 1, false), Reason::not_asked);
}

TEST(UnaskedCalls, MayHaveReasonsOfTheirCommunicators) {
  EXPECT_EQ(why(job_on_hosts(), Kind::allreduce, 2 * min_bytes - 1, true), Reason::not_asked);
  AskingJob job = job_on_hosts();
  job.gpus = true;
  EXPECT_EQ(why(job, Kind::allreduce, 15, false), Reason::not_asked);
}

TEST(UnaskedCalls, AreNativeWhereAIRampIsOffOrNativeIsImposed) {
  AskingJob job = job_on_hosts();
  job.forced_native = true;
  EXPECT_EQ(why(job, Kind::allreduce, 15, true), Reason::forced_native);
  job.on = false;
  job.why_off = "disabled by the settings";
  EXPECT_EQ(to_text(why_not_asked(job, {.kind = Kind::bcast})), "AIRamp is off: disabled by the settings");
}

}  // namespace
}  // namespace airamp::pmpi
