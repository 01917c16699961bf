// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "telemetry/segment/segment_reader.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"
#include "tests/telemetry/segment/example_identity.hpp"
#include "tests/telemetry/segment/scratch_folder.hpp"

namespace airamp::telemetry {

/// What is written into a segment, and read out of it again.
class RoundTrip : public testing::Test {
 protected:
  SegmentWriter open(int rank = 0, int size = 1) {
    auto [writer, why_off] = SegmentWriter::open(folder_.path(), "job", example_identity(rank, size));
    EXPECT_THAT(why_off, testing::IsEmpty());
    EXPECT_TRUE(writer.publishes());
    return std::move(writer);
  }

  RankSnapshot read() {
    JobSnapshot job = read_job(folder_.path(), "job");
    EXPECT_THAT(job.errors, testing::IsEmpty());
    EXPECT_THAT(job.ranks, testing::SizeIs(1));
    return job.ranks.empty() ? RankSnapshot{} : job.ranks.front();
  }

  ScratchFolder folder_;
};

}  // namespace airamp::telemetry
