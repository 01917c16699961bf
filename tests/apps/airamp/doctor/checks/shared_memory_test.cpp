// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "telemetry/segment/layout.hpp"
#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

Findings with(const Space& space, int ranks) {
  MadeUpHost host;
  host.subject.system.space = [&](const std::string& /*folder*/) { return std::optional(space); };
  host.subject.ranks.number = ranks;
  return check_shared_memory(host.subject);
}

TEST(SharedMemoryCheckTest, RoomForManyCommunicators) {
  // 1024 MiB - 256 for others - some of the segments, by 9 MiB.
  const std::uint64_t left = 768 * mebibyte - 2 * sizeof(telemetry::layout::Segment);
  expect_one(with({.all = 1024 * mebibyte, .free = 1024 * mebibyte}, 2), Verdict::good,
             "room for " + std::to_string(left / (9 * mebibyte)) + " communicators");
}

TEST(SharedMemoryCheckTest, AContainersDefaultHasRoomForAFew) {
  // Half of 64 MiB stays for the messages of 4 ranks; what they publish takes a part of the rest.
  const std::uint64_t left = 32 * mebibyte - 4 * sizeof(telemetry::layout::Segment);
  ASSERT_GE(left / (9 * mebibyte), 2U);
  expect_one(with({.all = 64 * mebibyte, .free = 64 * mebibyte}, 4), Verdict::good,
             "64 MiB of 64 MiB are free: room for " + std::to_string(left / (9 * mebibyte)) +
                 " communicators; more of them have memory without a path");
}

TEST(SharedMemoryCheckTest, TheMessagesOfManyRanksMayTakeMoreThanAContainersDefault) {
  expect_one(with({.all = 64 * mebibyte, .free = 64 * mebibyte}, 64), Verdict::worth_knowing, "may be killed");
}

TEST(SharedMemoryCheckTest, AJobThatRunsHasPublishedAlready) {
  MadeUpHost host;
  host.subject.system.space = [](const std::string& /*folder*/) {
    return std::optional(Space{.all = 64 * mebibyte, .free = 16 * mebibyte});
  };
  host.subject.ranks.number = 2;
  expect_one(check_shared_memory(host.subject), Verdict::worth_knowing, "16 MiB of 64 MiB are free: the MPI library");
  host.subject.job = {rank_of_process(0, 1), rank_of_process(1, 2)};
  expect_one(check_shared_memory(host.subject), Verdict::good, "are free: communicators have memory without");
}

TEST(SharedMemoryCheckTest, NoRoom) {
  expect_one(with({.all = 64 * mebibyte, .free = 0}, 2), Verdict::worth_knowing, "0 B of 64 MiB are free");
}

TEST(SharedMemoryCheckTest, MissingOrClosed) {
  MadeUpHost host;
  host.subject.system.writable = [](const std::string& /*folder*/) { return false; };
  expect_one(check_shared_memory(host.subject), Verdict::worth_knowing, "cannot write");
  host.subject.system.space = [](const std::string& /*folder*/) { return std::optional<Space>(); };
  expect_one(check_shared_memory(host.subject), Verdict::worth_knowing, "there is no /dev/shm");
}

}  // namespace
}  // namespace airamp::doctor
