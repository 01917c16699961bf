// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/quiet_write.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/file_descriptor.hpp"
#include "tests/base/temporary_folder.hpp"

namespace airamp::base {
namespace {

// A signal that is delivered ends the test as it would end an application.

/// The end of a pipe that is written to, and that nobody reads.
FileDescriptor broken_pipe() {
  std::array<int, 2> ends{-1, -1};
  EXPECT_EQ(pipe(ends.data()), 0);
  close(ends[0]);
  return FileDescriptor(ends[1]);
}

bool is_blocked(int signal) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}

bool is_pending(int signal) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, signal) == 1;
}

TEST(QuietWrite, ToAPipeThatNobodyReadsIsAnError) {
  const FileDescriptor pipe = broken_pipe();
  EXPECT_EQ(quiet_write(pipe.get(), "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  EXPECT_FALSE(is_blocked(SIGPIPE));
  EXPECT_FALSE(is_blocked(SIGXFSZ));
  EXPECT_FALSE(is_pending(SIGPIPE));
}

TEST(QuietWrite, PastTheLargestSizeOfAFileIsAnError) {
  const TemporaryFolder folder;
  const FileDescriptor file(open(folder.name("file").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const ssize_t first = quiet_write(file.get(), "12345", 5);
  const ssize_t second = quiet_write(file.get(), "45", 2);
  const int error = errno;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(first, 3);
  EXPECT_EQ(second, -1);
  EXPECT_EQ(error, EFBIG);
  EXPECT_FALSE(is_pending(SIGXFSZ));
}

TEST(QuietWrite, ASignalThatThePipeOfTheApplicationRaisedStaysPending) {
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGPIPE);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &own, nullptr), 0);
  const FileDescriptor pipe = broken_pipe();
  EXPECT_EQ(write(pipe.get(), "x", 1), -1);
  ASSERT_TRUE(is_pending(SIGPIPE));
  EXPECT_EQ(quiet_write(pipe.get(), "x", 1), -1);
  EXPECT_TRUE(is_pending(SIGPIPE));
  EXPECT_TRUE(is_blocked(SIGPIPE));
  int taken = 0;
  EXPECT_EQ(sigwait(&own, &taken), 0);
  EXPECT_EQ(pthread_sigmask(SIG_UNBLOCK, &own, nullptr), 0);
}

}  // namespace
}  // namespace airamp::base
