// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Where segments lie, who may read them, and what happens when there is no room.
#include "telemetry/segment/segment_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "telemetry/segment/layout.hpp"
#include "telemetry/segment/segment_reader.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "tests/telemetry/segment/example_identity.hpp"
#include "tests/telemetry/segment/scratch_folder.hpp"

namespace airamp::telemetry {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SegmentWriter::OpenResult open(const std::string& folder, const std::string& job = "job", int rank = 0) {
  return SegmentWriter::open(folder, job, example_identity(rank, 8));
}

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST(JobName, KeepsOnlyWhatIsHarmlessInAPath) {
  EXPECT_EQ(safe_job_name("slurm-12.0_a"), "slurm-12.0_a");
  EXPECT_EQ(safe_job_name("../../etc"), "_._.._etc");
  EXPECT_EQ(safe_job_name("a b/c\n\xC3\xA9"), "a_b_c___");
  EXPECT_EQ(safe_job_name(""), "job");
  EXPECT_EQ(safe_job_name("."), "_");
  EXPECT_THAT(safe_job_name(std::string(100, 'x')), SizeIs(64));
}

TEST(SegmentName, GivesItsRank) {
  EXPECT_EQ(segment_name(17), "rank-17.segment");
  EXPECT_EQ(rank_of_name("rank-17.segment"), 17);
  for (const char* name : {"rank-.segment", "rank--1.segment", "rank-1", "rank-1x.segment", "xrank-1.segment",
                           "rank-99999999999.segment", "rank-1.segment.bak", ".segment", "rank-segment"}) {
    EXPECT_EQ(rank_of_name(name), std::nullopt) << name;
  }
}

TEST(SegmentFile, BelongsToItsUserAlone) {
  const ScratchFolder folder;
  const mode_t before = umask(0);
  const auto opened = open(folder.path());
  umask(before);
  ASSERT_TRUE(opened.writer.publishes()) << opened.why_off;
  const fs::path file = opened.writer.file();
  EXPECT_EQ(file, folder.path() + "/airamp-" + std::to_string(geteuid()) + "/job/rank-0.segment");
  EXPECT_EQ(mode_of(file), 0600U);
  EXPECT_EQ(mode_of(file.parent_path()), 0700U);
  EXPECT_EQ(mode_of(file.parent_path().parent_path()), 0700U);
  EXPECT_EQ(fs::file_size(file), sizeof(layout::Segment));
}

TEST(SegmentFile, CannotBeReadByAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const ScratchFolder folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  const auto opened = open(folder.path());
  const fs::path file = opened.writer.file();
  const pid_t other = fork();
  if (other == 0) {
    // 0: nothing could be opened
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(1);
    if (access(folder.path().c_str(), R_OK | X_OK) != 0) _exit(2);
    if (::open(file.c_str(), O_RDONLY) >= 0 || errno != EACCES) _exit(3);
    if (::open(file.parent_path().parent_path().c_str(), O_RDONLY) >= 0) _exit(4);
    _exit(0);
  }
  int status = -1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(SegmentFile, HasAllOfItsMemorySetAside) {
  const ScratchFolder folder;
  const auto opened = open(folder.path());
  struct stat status {};
  ASSERT_EQ(stat(opened.writer.file().c_str(), &status), 0);
  EXPECT_GE(static_cast<std::size_t>(status.st_blocks) * 512, sizeof(layout::Segment));
}

TEST(SegmentFile, IsOffWithoutItsFolder) {
  const auto opened = open("/nonexistent");
  EXPECT_FALSE(opened.writer.publishes());
  EXPECT_THAT(opened.why_off, HasSubstr("/nonexistent: No such file or directory"));
}

TEST(SegmentFile, IsOffWhereItMayNotWrite) {
  // Nobody, root included, may make folders in /proc.
  const auto opened = open("/proc");
  EXPECT_FALSE(opened.writer.publishes());
  EXPECT_THAT(opened.why_off, HasSubstr("/proc/airamp-"));
}

TEST(SegmentFile, IsOffInAFolderThatOthersMayWriteTo) {
  const ScratchFolder folder;
  const fs::path user = user_folder(folder.path(), geteuid());
  fs::create_directory(user);
  for (const mode_t mode : {0770, 0702}) {
    ASSERT_EQ(chmod(user.c_str(), mode), 0);
    EXPECT_THAT(open(folder.path()).why_off, HasSubstr("can be written by other users"));
    EXPECT_THAT(read_job(folder.path(), "job").errors, ElementsAre(HasSubstr("can be written by other users")));
    EXPECT_THAT(list_jobs(folder.path(), geteuid()).errors, ElementsAre(HasSubstr("can be written by other users")));
  }
}

TEST(SegmentFile, IsOffInAnotherUsersFolder) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const ScratchFolder folder;
  const fs::path user = user_folder(folder.path(), geteuid());
  fs::create_directory(user);
  ASSERT_EQ(chmod(user.c_str(), 0700), 0);
  ASSERT_EQ(chown(user.c_str(), 12345, 12345), 0);
  EXPECT_THAT(open(folder.path()).why_off, HasSubstr("belongs to user 12345"));
  EXPECT_THAT(read_job(folder.path(), "job").errors, ElementsAre(HasSubstr("belongs to user 12345")));
}

TEST(SegmentFile, FollowsNoLinks) {
  const ScratchFolder folder;
  const ScratchFolder target;
  const fs::path user = user_folder(folder.path(), geteuid());
  fs::create_directory_symlink(target.path(), user);
  EXPECT_FALSE(open(folder.path()).writer.publishes());
  fs::remove(user);
  fs::create_directory(user);
  ASSERT_EQ(chmod(user.c_str(), 0700), 0);
  fs::create_directory_symlink(target.path(), user / "job");
  EXPECT_FALSE(open(folder.path()).writer.publishes());
  fs::remove(user / "job");
  fs::create_directory(user / "job");
  ASSERT_EQ(chmod((user / "job").c_str(), 0700), 0);
  fs::create_symlink(target.path() + "/victim", user / "job" / "rank-0.segment");
  EXPECT_FALSE(open(folder.path()).writer.publishes());
  EXPECT_THAT(fs::directory_iterator(target.path()), testing::Eq(fs::directory_iterator()));
}

TEST(SegmentFile, IsOffOnAFullFileSystem) {
  const ScratchFolder folder;
  if (mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "cannot mount a small tmpfs";
  const auto opened = open(folder.path());
  const fs::path file = user_folder(folder.path(), geteuid()) + "/job/rank-0.segment";
  const bool left = fs::exists(file);
  umount(folder.path().c_str());
  EXPECT_FALSE(opened.writer.publishes());
  EXPECT_THAT(opened.why_off, HasSubstr("No space left on device"));
  EXPECT_FALSE(left);
}

TEST(SegmentFile, IsOffBelowTheLimitOfFileSizes) {
  const ScratchFolder folder;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  // Without the check, a signal would end this process.
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto opened = open(folder.path());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_THAT(opened.why_off, HasSubstr("ulimit -f"));
}

TEST(SegmentFile, IsNotTakenFromARunningProcess) {
  const ScratchFolder folder;
  const auto first = open(folder.path());
  const auto second = open(folder.path());
  EXPECT_TRUE(first.writer.publishes());
  EXPECT_FALSE(second.writer.publishes());
  EXPECT_THAT(second.why_off, HasSubstr("another running process's"));
}

TEST(SegmentReader, ListsJobsAndTheirRanks) {
  const ScratchFolder folder;
  EXPECT_THAT(list_jobs(folder.path(), geteuid()).jobs, IsEmpty());
  EXPECT_THAT(list_jobs(folder.path(), geteuid()).errors, IsEmpty());
  const auto a = open(folder.path(), "b/job", 3);
  const auto b = open(folder.path(), "b/job", 1);
  const auto c = open(folder.path(), "a", 0);
  EXPECT_THAT(list_jobs(folder.path(), geteuid()).jobs, ElementsAre("a", "b_job"));
  const JobSnapshot job = read_job(folder.path(), "b/job");
  EXPECT_THAT(job.errors, IsEmpty());
  ASSERT_THAT(job.ranks, SizeIs(2));
  EXPECT_EQ(job.ranks[0].rank, 1);
  EXPECT_EQ(job.ranks[1].rank, 3);
  EXPECT_THAT(list_jobs(folder.path(), geteuid() + 1).jobs, IsEmpty());
}

}  // namespace
}  // namespace airamp::telemetry
