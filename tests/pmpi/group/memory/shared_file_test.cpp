// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/memory/shared_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/file_descriptor.hpp"

namespace airamp::pmpi::shared_file {
namespace {

constexpr std::size_t some_bytes = 12345;

struct stat status_of(int descriptor) {
  struct stat status {};
  EXPECT_EQ(fstat(descriptor, &status), 0);
  return status;
}

/// Whether two descriptors are of one file of `some_bytes`.
void expect_same_file(int one, int other) {
  EXPECT_EQ(status_of(one).st_ino, status_of(other).st_ino);
  EXPECT_EQ(status_of(other).st_size, static_cast<off_t>(some_bytes));
}

TEST(SharedFile, IsFoundByItsNameUntilThatIsRemoved) {
  Name name{};
  const base::FileDescriptor made = create_named(name, some_bytes);
  ASSERT_TRUE(made.valid());
  const base::FileDescriptor found = open_named(name);
  ASSERT_TRUE(found.valid());
  expect_same_file(made.get(), found.get());
  remove_named(name);
  EXPECT_FALSE(open_named(name).valid());
}

TEST(SharedFile, IsFoundByTheProcessThatMadeItAlsoWithoutItsName) {
  Name name{};
  const base::FileDescriptor made = create_named(name, some_bytes);
  ASSERT_TRUE(made.valid());
  remove_named(name);
  const base::FileDescriptor found = open_of_process(getpid(), made.get());
  ASSERT_TRUE(found.valid());
  expect_same_file(made.get(), found.get());
}

TEST(SharedFile, WithoutAPathIsFoundByTheProcessThatMadeIt) {
  const base::FileDescriptor made = create_without_path(some_bytes);
  ASSERT_TRUE(made.valid());
  const base::FileDescriptor found = open_of_process(getpid(), made.get());
  ASSERT_TRUE(found.valid());
  expect_same_file(made.get(), found.get());
}

TEST(SharedFile, OfAnotherMakerIsNotOpened) {
  const base::FileDescriptor other(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(other.valid());
  EXPECT_FALSE(open_of_process(getpid(), other.get()).valid());
}

TEST(SharedFile, OfAClosedDescriptorIsNotThere) {
  int closed = -1;
  {
    const base::FileDescriptor made = create_without_path(some_bytes);
    closed = made.get();
  }
  ASSERT_GE(closed, 0);
  EXPECT_FALSE(open_of_process(getpid(), closed).valid());
}

TEST(SharedFile, IsNotMadeOfWhatIsLeftToMessages) {
  leave_room(std::numeric_limits<std::uint64_t>::max() / 2, 1);
  Name name{};
  EXPECT_FALSE(create_named(name, some_bytes).valid());
  leave_room(0, 1);
  EXPECT_EQ(std::string(name.data()), "");
}

TEST(SharedFile, IsNotMadeOfMoreThanThereIs) {
  constexpr std::size_t too_many_bytes = std::size_t{1} << 62U;
  Name name{};
  EXPECT_FALSE(create_named(name, too_many_bytes).valid());
  EXPECT_EQ(std::string(name.data()), "");
  EXPECT_FALSE(affords_without_path(too_many_bytes));
}

}  // namespace
}  // namespace airamp::pmpi::shared_file
