// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/memory_room.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <limits>

#include "tests/base/temporary_folder.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

/// The files of a host that has 4096 MiB available.
class Host {
 public:
  Host() {
    write("proc/meminfo", "MemTotal:       8388608 kB\nMemFree:          1024 kB\nMemAvailable:    4194304 kB\n");
    write("proc/self/status", "Name:\tapp\nVmPeak:\t  204800 kB\nVmSize:\t  102400 kB\nVmData:\t   51200 kB\n");
  }
  void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }

  void mount_version_2(const std::string& group, const std::string& mounted = "/") const {
    write("proc/self/cgroup", "0::" + group + "\n");
    write("proc/self/mountinfo",
          "22 28 0:20 / /proc rw,nosuid - proc proc rw\n"
          "30 24 0:26 " +
              mounted + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  void group_of_version_2(const std::string& group, const std::string& max, std::uint64_t current) const {
    const std::string folder = "sys/fs/cgroup" + group + "/";
    write(folder + "memory.max", max + "\n");
    write(folder + "memory.current", std::to_string(current) + "\n");
    write(folder + "memory.stat", "anon 5\nfile 9\n");
  }
  MemoryRoom room() const { return memory_room(folder_.name("")); }

 private:
  base::TemporaryFolder folder_;
};

TEST(MemoryRoom, WithoutControlGroupsIsWhatTheHostHasAvailable) { EXPECT_EQ(Host().room().shared, 4096 * mebibyte); }

TEST(MemoryRoom, IsNoneWhereTheHostDoesNotSay) { EXPECT_EQ(memory_room(base::TemporaryFolder().name("")).shared, 0U); }

TEST(MemoryRoom, OfTheProcessAloneDoesNotAskTheHost) {
  const base::TemporaryFolder nothing_is_said;
  EXPECT_EQ(own_memory_room(nothing_is_said.name("")).shared, std::numeric_limits<std::uint64_t>::max());
}

TEST(MemoryRoom, OfAGroupIsItsLimitLessWhatIsUsed) {
  const Host host;
  host.mount_version_2("/job/step");
  host.group_of_version_2("/job/step", std::to_string(1400 * mebibyte), 1000 * mebibyte);
  EXPECT_EQ(host.room().shared, 400 * mebibyte);
}

TEST(MemoryRoom, PageCacheThatCanBeDroppedIsNotUsed) {
  const Host host;
  host.mount_version_2("/job");
  host.group_of_version_2("/job", std::to_string(1400 * mebibyte), 1000 * mebibyte);
  // the working set of the cache is one that can be dropped as well; memory shared between processes is not in either
  host.write("sys/fs/cgroup/job/memory.stat", "anon 1\nfile 734003200\nshmem 100\ninactive_file " +
                                                  std::to_string(500 * mebibyte) + "\nactive_file " +
                                                  std::to_string(100 * mebibyte) + "\n");
  EXPECT_EQ(host.room().shared, 1000 * mebibyte);
}

TEST(MemoryRoom, TheTightestLevelCounts) {
  const Host host;
  host.mount_version_2("/slurm/job/step");
  host.group_of_version_2("/slurm/job/step", "max", 10 * mebibyte);
  host.group_of_version_2("/slurm/job", std::to_string(700 * mebibyte), 100 * mebibyte);
  host.group_of_version_2("/slurm", std::to_string(3000 * mebibyte), 100 * mebibyte);
  EXPECT_EQ(host.room().shared, 600 * mebibyte);
}

TEST(MemoryRoom, BeyondTheHighMarkTheSystemThrottles) {
  const Host host;
  host.mount_version_2("/job");
  host.group_of_version_2("/job", std::to_string(2000 * mebibyte), 100 * mebibyte);
  host.write("sys/fs/cgroup/job/memory.high", std::to_string(600 * mebibyte) + "\n");
  EXPECT_EQ(host.room().shared, 500 * mebibyte);
}

TEST(MemoryRoom, AGroupOverItsLimitHasNone) {
  const Host host;
  host.mount_version_2("/job");
  host.group_of_version_2("/job", std::to_string(100 * mebibyte), 101 * mebibyte);
  EXPECT_EQ(host.room().shared, 0U);
}

TEST(MemoryRoom, InAContainerTheMountIsItsGroup) {
  const Host host;
  for (const char* group : {"/docker/abc", "/../other", "/"}) {  // with the host's names, from outside, with its own
    host.mount_version_2(group, group[1] == 'd' ? "/docker/abc" : "/");
    host.group_of_version_2("", std::to_string(300 * mebibyte), 100 * mebibyte);
    EXPECT_EQ(host.room().shared, 200 * mebibyte) << group;
  }
}

TEST(MemoryRoom, OfVersionOne) {
  const Host host;
  host.write("proc/self/cgroup", "12:cpu,cpuacct:/x\n5:memory:/slurm/job_1\n1:name=systemd:/y\n0::/unified\n");
  host.write("proc/self/mountinfo",
             "33 24 0:29 / /sys/fs/cgroup/cpu rw shared:8 - cgroup cgroup rw,cpu,cpuacct\n"
             "34 24 0:30 / /sys/fs/cgroup/memory rw shared:9 master:1 - cgroup cgroup rw,memory\n");
  const std::string job = "sys/fs/cgroup/memory/slurm/job_1/";
  host.write(job + "memory.limit_in_bytes", std::to_string(500 * mebibyte) + "\n");
  host.write(job + "memory.usage_in_bytes", std::to_string(450 * mebibyte) + "\n");
  host.write(job + "memory.stat", "inactive_file 1\ntotal_inactive_file " + std::to_string(200 * mebibyte) +
                                      "\ntotal_active_file " + std::to_string(50 * mebibyte) + "\n");
  host.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  host.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
  EXPECT_EQ(host.room().shared, 300 * mebibyte);
}

/// Sets a soft limit for as long as it lives.
class Limit {
 public:
  Limit(__rlimit_resource resource, rlim_t bytes) : resource_(resource) {
    EXPECT_EQ(getrlimit(resource, &before_), 0);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    EXPECT_EQ(setrlimit(resource, &limit), 0);
  }
  ~Limit() { EXPECT_EQ(setrlimit(resource_, &before_), 0); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  __rlimit_resource resource_;
  rlimit before_{};
};

TEST(MemoryRoom, UnderResourceLimits) {
  const Host host;  // this process has 100 MiB there, 50 MiB of them data
  const std::uint64_t without = host.room().own;
  EXPECT_GT(without, std::uint64_t{1} << 60U);
  constexpr std::uint64_t pebibyte = std::uint64_t{1} << 50U;  // more than the test itself needs
  {
    const Limit address_space(RLIMIT_AS, pebibyte);
    EXPECT_EQ(host.room().own, pebibyte - 100 * mebibyte);
    const Limit data(RLIMIT_DATA, pebibyte);
    EXPECT_EQ(host.room().own, pebibyte - 100 * mebibyte);
  }
  const Limit data(RLIMIT_DATA, pebibyte);
  EXPECT_EQ(host.room().own, pebibyte - 50 * mebibyte);
}

TEST(MemoryRoom, HalfOfItStays) {
  const MemoryRoom room{.shared = 800 * mebibyte, .own = 250 * mebibyte};
  EXPECT_TRUE(room.affords(100 * mebibyte, 4));
  EXPECT_FALSE(room.affords(100 * mebibyte + 1, 4));
  EXPECT_TRUE(room.affords(125 * mebibyte, 1));
  EXPECT_FALSE(room.affords(125 * mebibyte + 1, 1));
  EXPECT_TRUE(room.affords(100 * mebibyte, 0));
}

TEST(MemoryRoom, SomeStaysToTheProcessWhateverIsTaken) {
  const MemoryRoom room{.shared = 800 * mebibyte, .own = 3 * mebibyte};
  EXPECT_TRUE(room.affords(mebibyte, 1));
  EXPECT_FALSE(room.affords(mebibyte + 1, 1));
  EXPECT_FALSE((MemoryRoom{.shared = 800 * mebibyte, .own = mebibyte}.affords(0, 1)));
}

}  // namespace
}  // namespace airamp::pmpi
