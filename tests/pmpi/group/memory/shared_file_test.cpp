// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/memory/shared_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <string>

namespace airamp::pmpi::shared_file {
namespace {

constexpr std::size_t some_bytes = 12345;

/// Closes what it has.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

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
  const Descriptor made(create_named(name, some_bytes));
  ASSERT_GE(made.get(), 0);
  const Descriptor found(open_named(name));
  ASSERT_GE(found.get(), 0);
  expect_same_file(made.get(), found.get());
  remove_named(name);
  EXPECT_EQ(open_named(name), -1);
}

TEST(SharedFile, IsFoundByTheProcessThatMadeItAlsoWithoutItsName) {
  Name name{};
  const Descriptor made(create_named(name, some_bytes));
  ASSERT_GE(made.get(), 0);
  remove_named(name);
  const Descriptor found(open_of_process(getpid(), made.get()));
  ASSERT_GE(found.get(), 0);
  expect_same_file(made.get(), found.get());
}

TEST(SharedFile, WithoutAPathIsFoundByTheProcessThatMadeIt) {
  const Descriptor made(create_without_path(some_bytes));
  ASSERT_GE(made.get(), 0);
  const Descriptor found(open_of_process(getpid(), made.get()));
  ASSERT_GE(found.get(), 0);
  expect_same_file(made.get(), found.get());
}

TEST(SharedFile, OfAnotherMakerIsNotOpened) {
  const Descriptor other(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ASSERT_GE(other.get(), 0);
  EXPECT_EQ(open_of_process(getpid(), other.get()), -1);
}

TEST(SharedFile, OfAClosedDescriptorIsNotThere) {
  int closed = -1;
  {
    const Descriptor made(create_without_path(some_bytes));
    closed = made.get();
  }
  ASSERT_GE(closed, 0);
  EXPECT_EQ(open_of_process(getpid(), closed), -1);
}

TEST(SharedFile, IsNotMadeOfWhatIsLeftToMessages) {
  leave_room(std::numeric_limits<std::uint64_t>::max() / 2, 1);
  Name name{};
  EXPECT_EQ(create_named(name, some_bytes), -1);
  leave_room(0, 1);
  EXPECT_EQ(std::string(name.data()), "");
}

TEST(SharedFile, IsNotMadeOfMoreThanThereIs) {
  constexpr std::size_t too_many_bytes = std::size_t{1} << 62U;
  Name name{};
  EXPECT_EQ(create_named(name, too_many_bytes), -1);
  EXPECT_EQ(std::string(name.data()), "");
  EXPECT_FALSE(affords_without_path(too_many_bytes));
}

}  // namespace
}  // namespace airamp::pmpi::shared_file
