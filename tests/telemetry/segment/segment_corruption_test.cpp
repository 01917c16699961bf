// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Files that are not what a reader expects: each is skipped and named, none ends the reader.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "telemetry/segment/segment_image.hpp"
#include "telemetry/segment/segment_reader.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"
#include "tests/telemetry/segment/example_identity.hpp"
#include "tests/telemetry/segment/scratch_folder.hpp"

namespace airamp::telemetry {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class Corruption : public testing::Test {
 protected:
  Corruption() {
    auto opened = SegmentWriter::open(folder_.path(), "job", example_identity(0, 4));
    file_ = opened.writer.file();
    const CommunicatorSlot world = opened.writer.add_communicator(1, "MPI_COMM_WORLD", 4, 0);
    for (int call = 0; call < 300; ++call) {
      opened.writer.end(opened.writer.begin(world, 0, 8, opened.writer.now()), 1, 0, opened.writer.now());
    }
    opened.writer.set_decision(world, {.element = "float32", .op = "sum", .state = DecisionState::decided});
    std::ifstream file(file_, std::ios::binary);
    good_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  void write(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary | std::ios::trunc).write(bytes.data(), static_cast<long>(bytes.size()));
  }

  /// The good bytes with a value at a place.
  template <typename Value>
  std::string changed(std::size_t place, Value value) const {
    std::string bytes = good_;
    std::memcpy(bytes.data() + place, &value, sizeof value);
    return bytes;
  }

  JobSnapshot read() const { return read_job(folder_.path(), "job"); }

  void expect_error(const std::string& reason) const {
    const JobSnapshot job = read();
    EXPECT_THAT(job.ranks, IsEmpty());
    ASSERT_THAT(job.errors, SizeIs(1)) << reason;
    EXPECT_THAT(job.errors[0], StartsWith(file_ + ": "));
    EXPECT_THAT(job.errors[0], HasSubstr(reason));
  }

  ScratchFolder folder_;
  std::string file_;
  std::string good_;
};

TEST_F(Corruption, IsNotInTheFileOfTheseTests) {
  write(good_);
  EXPECT_THAT(read().errors, IsEmpty());
  EXPECT_THAT(read().ranks, SizeIs(1));
}

TEST_F(Corruption, OfMagicVersionOrSizeIsNamed) {
  write(changed(offsetof(layout::Header, magic), std::uint64_t{0}));
  expect_error("is being made");
  write(changed(offsetof(layout::Header, magic), std::uint64_t{42}));
  expect_error("is not a segment");
  write(changed(offsetof(layout::Header, version), std::uint32_t{99}));
  expect_error("has layout version 99, not " + std::to_string(layout::version));
  write(changed(offsetof(layout::Header, total_size), std::uint64_t{64}));
  expect_error("bytes instead of");
  write(good_ + "x");
  expect_error("bytes instead of");
  write("");
  expect_error("ends after 0 bytes");
}

TEST_F(Corruption, OfCountsAndIndicesIsNamed) {
  write(changed(offsetof(layout::Header, rank), std::int32_t{4}));
  expect_error("is of rank 4 of 4");
  write(changed(offsetof(layout::Header, rank), std::int32_t{1}));
  expect_error("is rank 1's");
  write(changed(offsetof(layout::Header, size), std::int32_t{0}));
  expect_error("is of rank 0 of 0");
  write(changed(offsetof(layout::Header, communicators), std::uint32_t{65}));
  expect_error("counts 65 communicators");
  write(changed(offsetof(layout::Header, traffic), std::uint32_t{513}));
  expect_error("counts 513 rows of traffic");
  write(changed(offsetof(layout::Header, functions), std::uint32_t{0}));
  expect_error("of something unknown");
  write(changed(offsetof(layout::Header, opened) + offsetof(layout::ClockSample, ticks), ~std::uint64_t{0}));
  expect_error("clock samples that cannot be right");
  const std::size_t what = offsetof(layout::Segment, flight_rows) + offsetof(layout::FlightRow, what);
  write(changed(what, layout::What{.communicator = 65}.packed()));
  expect_error("flight 0 names something unknown");
  write(changed(what, layout::What{.communicator = 0, .function = 3}.packed()));
  expect_error("flight 0 names something unknown");
  const std::size_t key = offsetof(layout::Segment, traffic_rows) + offsetof(layout::TrafficRow, key);
  write(changed(key, layout::Key{.communicator = 0, .function = 0, .size_bucket = 65}.packed()));
  expect_error("row of traffic 0 is of something unknown");
  write(changed(key, std::uint64_t{1}));
  expect_error("row of traffic 0 is of something unknown");
}

TEST_F(Corruption, OfStatesAndReasonsIsNamed) {
  const std::size_t row = offsetof(layout::Segment, decision_rows);
  write(changed(row + offsetof(layout::DecisionRow, state), static_cast<std::uint32_t>(every_decision_state.size())));
  expect_error("decision 0 is in an unknown state");
  write(changed(row + offsetof(layout::DecisionRow, reason), static_cast<std::uint32_t>(reason_count)));
  expect_error("decision 0 has an unknown reason");
}

TEST_F(Corruption, OfTextIsMadeHarmless) {
  const std::string text = "a\xFF\n\x1b[2J\xC3\xA9";
  std::string bytes = good_;
  const std::size_t place = offsetof(layout::Header, program);
  std::memset(bytes.data() + place, 0, 64);
  std::memcpy(bytes.data() + place, text.data(), text.size());
  write(bytes);
  ASSERT_THAT(read().ranks, SizeIs(1));
  EXPECT_EQ(read().ranks[0].program, "a\uFFFD\uFFFD\uFFFD[2J\u00E9");
  // Text without an end takes up its field and no more.
  std::memset(bytes.data() + place, 'x', 64);
  write(bytes);
  EXPECT_EQ(read().ranks[0].program, std::string(64, 'x'));
}

TEST_F(Corruption, ByTruncationIsNamedAtEveryLength) {
  const int file = open(file_.c_str(), O_WRONLY);
  for (std::size_t size = good_.size() - 64; size > 0; size -= std::min<std::size_t>(size, 64)) {
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(size)), 0);
    const Decoded decoded = read_segment(file_, Observer::here());
    ASSERT_THAT(decoded.error, testing::AnyOf(HasSubstr("bytes instead of"), HasSubstr("ends after"))) << size;
  }
  close(file);
}

TEST_F(Corruption, ByShrinkingWhileItIsReadIsNoCrash) {
  std::atomic<bool> stop{false};
  std::thread shrinker([&] {
    const int file = open(file_.c_str(), O_RDWR);
    for (std::size_t size = 0; !stop; size = (size + 4096) % good_.size()) {
      if (ftruncate(file, static_cast<off_t>(size)) != 0) break;
      if (pwrite(file, good_.data(), good_.size(), 0) < 0) break;
    }
    close(file);
  });
  int whole = 0;
  int errors = 0;
  for (int look = 0; look < 2000 || (whole == 0 && look < 100000); ++look) {
    const Decoded decoded = read_segment(file_, Observer::here());
    ++(decoded.error.empty() ? whole : errors);
  }
  stop = true;
  shrinker.join();
  EXPECT_GT(whole + errors, 0);
}

TEST_F(Corruption, ByOtherKindsOfFilesIsNamed) {
  std::filesystem::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  expect_error("is not a file");
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  expect_error("is not a file");
  std::filesystem::remove(file_);
  std::filesystem::create_symlink("/etc/passwd", file_);
  expect_error("is not a file");
}

TEST_F(Corruption, OfOneSegmentLeavesTheOthers) {
  const auto other = SegmentWriter::open(folder_.path(), "job", example_identity(2, 4));
  write("nonsense");
  const JobSnapshot job = read();
  ASSERT_THAT(job.ranks, SizeIs(1));
  EXPECT_EQ(job.ranks[0].rank, 2);
  EXPECT_THAT(job.errors, ElementsAre(StartsWith(file_)));
}

TEST_F(Corruption, AtRandomIsNoCrash) {
  const int file = open(file_.c_str(), O_RDWR);
  ASSERT_GE(file, 0);
  SegmentImage image;
  const Observer observer = Observer::here();
  int errors = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    std::string bytes = good_;
    for (unsigned change = 0; change <= seed % 50; ++change) {
      // Half of the changes hit the header and the tables' first rows.
      const std::size_t place = random() % 2 == 0 ? random() % 2048 : random() % bytes.size();
      bytes[place] = static_cast<char>(random());
    }
    ASSERT_EQ(pwrite(file, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    const std::string unreadable = image.read(file);
    const std::string error = unreadable.empty() ? decode(image.segment(), observer).error : unreadable;
    errors += error.empty() ? 0 : 1;
  }
  close(file);
  EXPECT_GT(errors, 200);
  EXPECT_LT(errors, 2000);
}

}  // namespace
}  // namespace airamp::telemetry
