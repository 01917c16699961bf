// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: whatever bytes a trace's file holds, reading it gives events that can be relied on, or a TraceError. The
// first byte of the input says how the file comes about: even, the rest is the file; odd, the rest is a list of changes
// of 3 bytes (place and new value) to a trace in order, which reaches deeper.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "pola/trace_reader.hpp"
#include "pola/trace_writer.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using namespace airamp::pola;
using airamp::fuzz::require;

/// A file in memory, empty at first.
int memory_file() { return memfd_create("trace", MFD_CLOEXEC); }

std::string path_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

std::string make_trace() {
  const int file = memory_file();
  TraceWriter writer;
  require(writer.open(path_of(file).c_str(), {.program = "fuzz", .functions = {"MPI_Allreduce", "MPI_Bcast"}}),
          "a trace is written");
  writer.add_communicator({.size = 4, .rank = 1});
  writer.add_communicator({.size = 2, .rank = 0});
  for (std::int64_t call = 0; call < 100; ++call) {
    writer.record({.communicator = static_cast<std::uint32_t>(call % 2),
                   .function = static_cast<std::uint32_t>(call / 2 % 2),
                   .bytes = static_cast<std::uint64_t>(1000 * (call % 7)),
                   .arguments = 5,
                   .entered_ns = 1000 * call,
                   .left_ns = 1000 * call + 10});
  }
  require(writer.close(), "a trace is closed");
  std::string bytes(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  require(pread(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()), "a trace is read");
  close(file);
  return bytes;
}

void read_trace(const std::string& bytes) {
  static const int file = memory_file();
  require(ftruncate(file, 0) == 0, "the file's size is set");
  require(pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()), "the file is written");
  try {
    TraceReader reader(path_of(file));
    TraceEvent event;
    while (reader.next(event)) {
      require(event.communicator < reader.communicators().size(), "communicator of an event");
      require(event.function < reader.header().functions.size(), "function of an event");
      require(event.entered_ns <= event.left_ns, "times of an event");
    }
  } catch (const TraceError& error) {
    require(std::string(error.what()).starts_with("/proc/self/fd/"), "an error names the file");
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string good = make_trace();
  if (size == 0) return 0;
  if ((data[0] & 1U) == 0) {
    read_trace(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
    return 0;
  }
  std::string bytes = good;
  for (std::size_t at = 1; at + 3 <= size; at += 3)
    bytes[(std::size_t{data[at]} << 8U | data[at + 1]) % bytes.size()] = static_cast<char>(data[at + 2]);
  read_trace(bytes);
  return 0;
}
