// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/owned_entry.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/base/temporary_folder.hpp"

namespace airamp::base {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class OwnedEntries : public testing::Test {
 protected:
  OwnedEntries() {
    std::ofstream(folder_.name("file")) << "text";
    fs::create_directory(folder_.name("folder"));
    chmod(folder_.name("file").c_str(), 0600);
    chmod(folder_.name("folder").c_str(), 0700);
  }

  std::string why_no_file(const std::string& name, uid_t user = geteuid()) {
    const OwnedEntry entry = open_owned_file(parent_.get(), name, user);
    EXPECT_NE(entry.descriptor.valid(), !entry.why_not.empty()) << name;
    return entry.why_not;
  }

  std::string why_no_folder(const std::string& name, uid_t user = geteuid()) {
    const OwnedEntry entry = open_owned_folder(parent_.get(), name, user);
    EXPECT_NE(entry.descriptor.valid(), !entry.why_not.empty()) << name;
    return entry.why_not;
  }

  TemporaryFolder folder_;
  FileDescriptor parent_{open(folder_.name(".").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
};

TEST_F(OwnedEntries, AreOpenedForReading) {
  const OwnedEntry file = open_owned_file(parent_.get(), "file", geteuid());
  char text[8]{};
  EXPECT_EQ(read(file.descriptor.get(), text, sizeof text), 4);
  EXPECT_STREQ(text, "text");
  EXPECT_THAT(why_no_folder("folder"), IsEmpty());
}

TEST_F(OwnedEntries, ThatAreNotThereAreMissing) {
  const OwnedEntry file = open_owned_file(parent_.get(), "nothing", geteuid());
  EXPECT_TRUE(file.missing);
  EXPECT_THAT(file.why_not, HasSubstr("No such file"));
  EXPECT_FALSE(open_owned_file(parent_.get(), "folder", geteuid()).missing);
}

TEST_F(OwnedEntries, AreOfTheKindThatIsAskedFor) {
  EXPECT_EQ(why_no_file("folder"), "is not a file");
  EXPECT_EQ(why_no_folder("file"), "is not a folder");
  ASSERT_EQ(mkfifo(folder_.name("pipe").c_str(), 0600), 0);
  EXPECT_EQ(why_no_file("pipe"), "is not a file");
}

TEST_F(OwnedEntries, AreNoLinks) {
  fs::create_symlink("file", folder_.name("to_file"));
  fs::create_directory_symlink("folder", folder_.name("to_folder"));
  EXPECT_EQ(why_no_file("to_file"), "is not a file");
  EXPECT_EQ(why_no_folder("to_folder"), "is not a folder");
}

TEST_F(OwnedEntries, BelongToTheUserAlone) {
  const std::string other = "belongs to user " + std::to_string(geteuid());
  EXPECT_EQ(why_no_file("file", geteuid() + 1), other);
  EXPECT_EQ(why_no_folder("folder", geteuid() + 1), other);
  chmod(folder_.name("file").c_str(), 0620);
  chmod(folder_.name("folder").c_str(), 0702);
  EXPECT_EQ(why_no_file("file"), "can be written by other users");
  EXPECT_EQ(why_no_folder("folder"), "can be written by other users");
}

TEST_F(OwnedEntries, AreNotMountedThere) {
  const std::string place = folder_.name("folder");
  if (mount("tmpfs", place.c_str(), "tmpfs", 0, "size=64k,mode=700") != 0) GTEST_SKIP() << "cannot mount a tmpfs";
  const std::string why_not = why_no_folder("folder");
  umount(place.c_str());
  EXPECT_EQ(why_not, "is not in its folder's file system");
  const std::string file = folder_.name("file");
  ASSERT_EQ(mount("/etc/passwd", file.c_str(), "", MS_BIND, ""), 0);
  const std::string why_no = why_no_file("file");
  umount(file.c_str());
  EXPECT_EQ(why_no, "is not in its folder's file system");
}

}  // namespace
}  // namespace airamp::base
