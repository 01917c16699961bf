// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/clean_dead_segments.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include "telemetry/segment/layout.hpp"
#include "telemetry/segment/segment_file.hpp"
#include "telemetry/segment/segment_reader.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "tests/telemetry/segment/example_identity.hpp"
#include "tests/telemetry/segment/scratch_folder.hpp"

namespace airamp::telemetry {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::SizeIs;

constexpr GraceTimes no_grace{.finalized_ns = 0, .dead_ns = 0};

/// Has a process of its own write a segment and end.
void write_and_end(const std::string& folder, const std::string& job, bool finalize) {
  const pid_t child = fork();
  if (child == 0) {
    auto opened = SegmentWriter::open(folder, job, example_identity(0, 1));
    if (finalize) opened.writer.finalize();
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
}

std::string file_of(const std::string& folder, const std::string& job) {
  return user_folder(folder, geteuid()) + "/" + job + "/rank-0.segment";
}

TEST(DeadSegments, AreRecognised) {
  const ScratchFolder folder;
  write_and_end(folder.path(), "dead", false);
  const JobSnapshot job = read_job(folder.path(), "dead");
  ASSERT_THAT(job.ranks, SizeIs(1));
  EXPECT_FALSE(job.ranks[0].alive);
  EXPECT_TRUE(job.ranks[0].observable);
  EXPECT_EQ(job.ranks[0].process_state, 0);
  EXPECT_FALSE(job.ranks[0].finalized);
}

TEST(DeadSegments, OfAProcessWithAReusedNumberAreRecognised) {
  const ScratchFolder folder;
  const auto opened = SegmentWriter::open(folder.path(), "job", example_identity(0, 1));
  std::fstream file(opened.writer.file(), std::ios::binary | std::ios::in | std::ios::out);
  const std::uint64_t other_start = 1;
  file.seekp(offsetof(layout::Header, process_start));
  file.write(reinterpret_cast<const char*>(&other_start), sizeof other_start);
  file.close();
  EXPECT_FALSE(read_job(folder.path(), "job").ranks.at(0).alive);
}

TEST(DeadSegments, StayForTheirTime) {
  const ScratchFolder folder;
  write_and_end(folder.path(), "dead", false);
  write_and_end(folder.path(), "finalized", true);
  const auto running = SegmentWriter::open(folder.path(), "running", example_identity(0, 1));
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid()), 0U);
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid(), {.finalized_ns = 0}), 1U);
  EXPECT_FALSE(fs::exists(file_of(folder.path(), "finalized")));
  EXPECT_TRUE(fs::exists(file_of(folder.path(), "dead")));
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid(), no_grace), 1U);
  EXPECT_THAT(list_jobs(folder.path(), geteuid()).jobs, testing::ElementsAre("running"));
  EXPECT_EQ(read_job(folder.path(), "running").ranks.size(), 1U);
}

TEST(DeadSegments, StayFromWhenTheyWereFirstSeenDead) {
  const ScratchFolder folder;
  write_and_end(folder.path(), "dead", false);
  // Made long ago, as a job that hung over a weekend.
  const std::string path = file_of(folder.path(), "dead");
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const std::uint64_t long_ago = 1'000'000'000ULL * 1'700'000'000ULL;
  file.seekp(offsetof(layout::Header, opened) + offsetof(layout::ClockSample, realtime_ns));
  file.write(reinterpret_cast<const char*>(&long_ago), sizeof long_ago);
  file.close();
  const timespec then{.tv_sec = 1'700'000'000, .tv_nsec = 0};
  const timespec times[2] = {then, then};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid()), 0U);
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid()), 0U);
  EXPECT_TRUE(fs::exists(path));
  const timespec yesterday{.tv_sec = time(nullptr) - 25 * 3600, .tv_nsec = 0};
  const timespec seen[2] = {yesterday, yesterday};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), seen, 0), 0);
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid()), 1U);
}

TEST(DeadSegments, OfTheLatestJobsStay) {
  const ScratchFolder folder;
  for (const char* job : {"c", "a", "b"}) write_and_end(folder.path(), job, false);
  const auto running = SegmentWriter::open(folder.path(), "running", example_identity(0, 1));
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid(), {.dead_jobs = 2}), 1U);
  EXPECT_THAT(list_jobs(folder.path(), geteuid()).jobs, testing::ElementsAre("a", "b", "running"));
}

TEST(DeadSegments, OfAnotherPidNamespaceStay) {
  const ScratchFolder folder;
  write_and_end(folder.path(), "container", false);
  std::fstream file(file_of(folder.path(), "container"), std::ios::binary | std::ios::in | std::ios::out);
  const std::uint64_t other = 1;
  file.seekp(offsetof(layout::Header, process_namespace));
  file.write(reinterpret_cast<const char*>(&other), sizeof other);
  file.close();
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid(), no_grace), 0U);
  const RankSnapshot rank = read_job(folder.path(), "container").ranks.at(0);
  EXPECT_FALSE(rank.observable);
  EXPECT_TRUE(rank.alive);
}

TEST(DeadSegments, OfAnotherLayoutVersionStayUntilTheMachineStartsAnew) {
  const ScratchFolder folder;
  const auto running = SegmentWriter::open(folder.path(), "newer", example_identity(0, 1));
  std::fstream file(running.writer.file(), std::ios::binary | std::ios::in | std::ios::out);
  const std::uint32_t other = layout::version + 1;
  file.seekp(offsetof(layout::Header, version));
  file.write(reinterpret_cast<const char*>(&other), sizeof other);
  file.flush();
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid(), no_grace), 0U);
  file.seekp(offsetof(layout::Header, boot));
  file.write("another", 7);
  file.close();
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid()), 0U);
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid(), no_grace), 1U);
}

TEST(DeadSegments, LeaveOtherFilesAlone) {
  const ScratchFolder folder;
  write_and_end(folder.path(), "dead", false);
  const std::string user = user_folder(folder.path(), geteuid());
  std::ofstream(user + "/dead/notes.txt") << "mine";
  std::ofstream(user + "/file") << "mine";
  EXPECT_EQ(clean_dead_segments(folder.path(), geteuid(), no_grace), 1U);
  EXPECT_TRUE(fs::exists(user + "/dead/notes.txt"));
  EXPECT_TRUE(fs::exists(user + "/file"));
}

TEST(DeadSegments, MakeRoomForANewSegmentOfTheirName) {
  const ScratchFolder folder;
  write_and_end(folder.path(), "job", false);
  const auto opened = SegmentWriter::open(folder.path(), "job", example_identity(0, 1));
  EXPECT_THAT(opened.why_off, IsEmpty());
  EXPECT_TRUE(read_job(folder.path(), "job").ranks.at(0).alive);
}

TEST(DeadSegments, GoWhenTheNextJobStarts) {
  const ScratchFolder folder;
  write_and_end(folder.path(), "old", true);
  std::fstream file(file_of(folder.path(), "old"), std::ios::binary | std::ios::in | std::ios::out);
  const std::uint64_t long_ago = 1'000'000'000;
  file.seekp(offsetof(layout::Header, finalized_ns));
  file.write(reinterpret_cast<const char*>(&long_ago), sizeof long_ago);
  file.close();
  const auto opened = SegmentWriter::open(folder.path(), "new", example_identity(0, 1));
  EXPECT_THAT(list_jobs(folder.path(), geteuid()).jobs, testing::ElementsAre("new"));
}

}  // namespace
}  // namespace airamp::telemetry
