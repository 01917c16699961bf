// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/trace_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <thread>

#include "pola/trace_reader.hpp"
#include "pola/trace_writer.hpp"
#include "tests/pola/temporary_trace.hpp"

namespace airamp::pola {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t second = 1'000'000'000;

TraceHeader example_header() {
  return {.rank = 3,
          .size = 4096,
          .start_unix_ns = 1'790'000'000 * second,
          .library = "An MPI 1.0",
          .program = "simulation",
          .functions = {"MPI_Allreduce", "MPI_Bcast"}};
}

/// Calls with extreme values, times backwards and more shapes than the format has slots.
std::vector<TraceEvent> example_events(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<TraceEvent> events = {
      {.communicator = 0, .function = 1, .bytes = 0, .arguments = 0, .entered_ns = 0, .left_ns = 0},
      {.communicator = 1,
       .function = 0,
       .bytes = std::numeric_limits<std::uint64_t>::max(),
       .arguments = std::numeric_limits<std::uint64_t>::max(),
       .entered_ns = 3600 * second,
       .left_ns = 7200 * second}};
  while (events.size() < count) {
    const auto entered = static_cast<std::int64_t>(random() % (100 * second));
    events.push_back({.communicator = static_cast<std::uint32_t>(random() % 2),
                      .function = static_cast<std::uint32_t>(random() % 2),
                      .bytes = random() % 40 * 1000,
                      .arguments = random() % 10,
                      .entered_ns = entered,
                      .left_ns = entered + static_cast<std::int64_t>(random() % second)});
  }
  return events;
}

void write(const std::string& path, const std::vector<TraceEvent>& events) {
  TraceWriter writer;
  ASSERT_TRUE(writer.open(path.c_str(), example_header()));
  EXPECT_TRUE(writer.recording());
  EXPECT_EQ(writer.add_communicator({.size = 4096, .rank = 3}), 0U);
  EXPECT_EQ(writer.add_communicator({.size = 2, .rank = 1}), 1U);
  for (const TraceEvent& event : events) writer.record(event);
  EXPECT_TRUE(writer.close());
  EXPECT_FALSE(writer.recording());
  EXPECT_TRUE(writer.close());
}

std::vector<TraceEvent> read_all(TraceReader& reader) {
  std::vector<TraceEvent> events;
  for (TraceEvent event; reader.next(event);) events.push_back(event);
  return events;
}

std::string error_of(const std::string& path) {
  try {
    TraceReader reader(path);
    read_all(reader);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "";
}

TEST(TraceFile, ReadsWhatWasWritten) {
  const TemporaryTrace file;
  const std::vector<TraceEvent> events = example_events(30000);  // several blocks
  write(file.path(), events);
  TraceReader reader(file.path());
  EXPECT_EQ(reader.header().rank, 3U);
  EXPECT_EQ(reader.header().size, 4096U);
  EXPECT_EQ(reader.header().start_unix_ns, 1'790'000'000 * second);
  EXPECT_EQ(reader.header().library, "An MPI 1.0");
  EXPECT_EQ(reader.header().program, "simulation");
  EXPECT_THAT(reader.header().functions, testing::ElementsAre("MPI_Allreduce", "MPI_Bcast"));
  EXPECT_EQ(read_all(reader), events);
  ASSERT_EQ(reader.communicators().size(), 2U);
  EXPECT_EQ(reader.communicators()[1].size, 2U);
  EXPECT_EQ(reader.communicators()[1].rank, 1U);
  TraceEvent event;
  EXPECT_FALSE(reader.next(event));
}

TEST(TraceFile, TakesAboutEightBytesPerCall) {
  const TemporaryTrace file;
  std::vector<TraceEvent> events;
  for (std::int64_t i = 0; i < 10000; ++i) {
    // A call every 500 us that takes 20 us, of seven kinds.
    const std::int64_t entered = i * 500'000 + i * 7919 % 1000;
    events.push_back({.function = static_cast<std::uint32_t>(i % 2),
                      .bytes = static_cast<std::uint64_t>(i % 7) * 8,
                      .arguments = 1,
                      .entered_ns = entered,
                      .left_ns = entered + 20'000});
  }
  write(file.path(), events);
  EXPECT_LE(std::filesystem::file_size(file.path()), 8 * events.size());
}

TEST(TraceFile, EveryTruncationIsAnErrorThatNamesFileAndOffset) {
  const TemporaryTrace file;
  write(file.path(), example_events(100));
  const auto size = std::filesystem::file_size(file.path());
  for (std::uintmax_t length = 0; length < size; ++length) {
    const TemporaryTrace cut;
    std::filesystem::copy_file(file.path(), cut.path());
    std::filesystem::resize_file(cut.path(), length);
    ASSERT_THAT(error_of(cut.path()), StartsWith(cut.path() + ": byte ")) << length;
  }
  EXPECT_EQ(error_of(file.path()), "");
}

TEST(TraceFile, GarbageNeverDoesMoreThanThrow) {
  const TemporaryTrace file;
  write(file.path(), example_events(200));
  std::ifstream stream(file.path(), std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(stream), {});
  std::mt19937_64 random(1);
  std::size_t errors = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = content;
    for (std::size_t i = 0; i < 1 + random() % 8; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    const TemporaryTrace copy;
    std::ofstream(copy.path(), std::ios::binary) << damaged;
    const std::string error = error_of(copy.path());
    if (error.empty()) continue;
    ++errors;
    ASSERT_THAT(error, StartsWith(copy.path() + ": byte "));
  }
  EXPECT_GT(errors, 500U);
}

TEST(TraceFile, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("/nowhere/at.all"), "/nowhere/at.all: No such file or directory");
  const TemporaryTrace file;
  std::ofstream(file.path()) << "#!/bin/sh\n";
  EXPECT_EQ(error_of(file.path()), file.path() + ": byte 0: not a trace of AIRamp");
  std::ofstream(file.path()) << "AIRTRACE\x07";
  EXPECT_EQ(error_of(file.path()), file.path() + ": byte 8: format version 7, not 1");
}

TEST(TraceFile, WhatCannotBeReadIsAnErrorThatNamesTheFile) {
  EXPECT_THAT(error_of(testing::TempDir()), StartsWith(testing::TempDir() + ": "));
  EXPECT_THAT(error_of("/proc/self/mem"), StartsWith("/proc/self/mem: "));  // nothing is mapped at its beginning
}

TEST(TraceFile, AnUnknownCommunicatorIsAnError) {
  const TemporaryTrace file;
  TraceWriter writer;
  ASSERT_TRUE(writer.open(file.path().c_str(), example_header()));
  writer.record({.communicator = 0});
  EXPECT_TRUE(writer.close());
  EXPECT_THAT(error_of(file.path()), HasSubstr("communicator 0 was not introduced"));
}

TEST(TraceWriter, SaysWhyAFileCannotBeOpened) {
  TraceWriter writer;
  EXPECT_FALSE(writer.open("/nowhere/at.all", example_header()));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(writer.recording());
  writer.record({});
  EXPECT_TRUE(writer.close());
}

TEST(TraceWriter, EndsTheRecordingWhereADeviceIsFull) {
  TraceWriter writer;
  ASSERT_TRUE(writer.open("/dev/full", example_header()));
  writer.add_communicator({});
  for (const TraceEvent& event : example_events(30000)) {
    if (event.communicator == 0) writer.record(event);
  }
  EXPECT_FALSE(writer.recording());
  EXPECT_FALSE(writer.close());
  EXPECT_EQ(errno, ENOSPC);
}

TEST(TraceWriter, ThreadsMayRecordAtOnce) {
  const TemporaryTrace file;
  TraceWriter writer;
  ASSERT_TRUE(writer.open(file.path().c_str(), example_header()));
  constexpr std::size_t threads = 4;
  constexpr std::int64_t calls = 5000;
  for (std::size_t i = 0; i < threads; ++i) writer.add_communicator({});
  std::vector<std::thread> running;
  for (std::uint32_t number = 0; number < threads; ++number) {
    running.emplace_back([&, number] {
      for (std::int64_t i = 0; i < calls; ++i) {
        writer.record({.communicator = number, .entered_ns = i * 1000, .left_ns = i * 1000 + 10});
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  ASSERT_TRUE(writer.close());
  TraceReader reader(file.path());
  std::vector<std::int64_t> next(threads);
  for (const TraceEvent& event : read_all(reader)) EXPECT_EQ(event.entered_ns, next[event.communicator]++ * 1000);
  EXPECT_EQ(next, std::vector<std::int64_t>(threads, calls));
}

TEST(SignatureOf, IsTheSizeUpToAFactorOfTwo) {
  EXPECT_EQ(signature_of(1, 1024, 5), signature_of(1, 2047, 5));
  EXPECT_NE(signature_of(1, 1023, 5), signature_of(1, 1024, 5));
  EXPECT_NE(signature_of(1, 0, 5), signature_of(1, 1, 5));
  EXPECT_NE(signature_of(1, 8, 5), signature_of(2, 8, 5));
  EXPECT_NE(signature_of(1, 8, 5), signature_of(1, 8, 6));
  EXPECT_EQ(signature_of({.function = 1, .bytes = 8, .arguments = 5}), signature_of(1, 8, 5));
}

}  // namespace
}  // namespace airamp::pola
