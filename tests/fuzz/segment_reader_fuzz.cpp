// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: whatever bytes a segment's file holds, reading it gives an error or a snapshot that can be relied on.
// The first byte of the input says how the file comes about: even, the rest is the file; odd, the rest is a list of
// changes of 10 bytes (place and new value of a word) to a segment in order, which reaches deeper.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/safe_text.hpp"
#include "telemetry/diagnosis/hang_analysis.hpp"
#include "telemetry/diagnosis/stragglers.hpp"
#include "telemetry/segment/segment_decoder.hpp"
#include "telemetry/segment/segment_image.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using airamp::fuzz::require;
using airamp::telemetry::RankSnapshot;

constexpr std::array<std::string_view, 2> functions = {"MPI_Allreduce", "MPI_Barrier"};
constexpr std::array<std::string_view, 2> paths = {"native", "mpi-two-shot"};

/// The bytes of a segment with something in each of its tables.
std::vector<char> make_segment() {
  namespace telemetry = airamp::telemetry;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("airamp-fuzz-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  auto [writer, why_off] = telemetry::SegmentWriter::open(
      folder, "fuzz", {.rank = 1, .size = 4, .version = "1", .functions = functions, .paths = paths});
  require(why_off.empty(), why_off.c_str());
  const auto world = writer.add_communicator(1, "MPI_COMM_WORLD", 4, 1);
  const auto row = writer.add_communicator(2, "row", 2, 1);
  for (int call = 0; call < 300; ++call) {
    writer.end(writer.begin(call % 3 == 0 ? row : world, 0, 8U << (call % 4), writer.now()), 1, 5, writer.now());
  }
  writer.begin(world, 1, 0, writer.now());
  writer.begin({}, 1, 0, writer.now());
  writer.set_decision(world, {.element = "float32",
                              .op = "sum",
                              .state = airamp::DecisionState::decided,
                              .reason = airamp::Reason::fastest,
                              .why = "fastest",
                              .speedup = 2});
  std::ifstream file(writer.file(), std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::filesystem::remove_all(folder);
  require(bytes.size() == sizeof(telemetry::layout::Segment), "the segment is whole");
  return bytes;
}

/// What came out of the reader must be fit for any consumer.
void check(const RankSnapshot& rank) {
  using airamp::base::safe_text;
  const auto check_text = [](const std::string& text) { require(safe_text(text) == text, "text is safe"); };
  for (const std::string* text : {&rank.job, &rank.host, &rank.user, &rank.version, &rank.mpi, &rank.architecture,
                                  &rank.gpu, &rank.program, &rank.why_off}) {
    check_text(*text);
  }
  require(rank.rank >= 0 && rank.rank < rank.size, "rank and size");
  for (const auto& communicator : rank.communicators) check_text(communicator.name);
  for (const auto& traffic : rank.traffic) {
    require(traffic.communicator < rank.communicators.size(), "communicator of traffic");
    check_text(traffic.function);
    check_text(traffic.path);
  }
  for (const auto& decision : rank.decisions) {
    require(decision.communicator < rank.communicators.size(), "communicator of a decision");
    for (const std::string* text : {&decision.element, &decision.op, &decision.why, &decision.path}) {
      check_text(*text);
    }
  }
  for (const auto& flight : rank.flights) {
    require(flight.communicator < rank.communicators.size(), "communicator of a flight");
    require(std::isfinite(flight.entered_seconds) && std::isfinite(flight.left_seconds), "times of a flight");
  }
}

void write_file(int file, const char* bytes, std::size_t size) {
  require(ftruncate(file, 0) == 0 && ftruncate(file, static_cast<off_t>(size)) == 0, "the file's size is set");
  require(pwrite(file, bytes, size, 0) == static_cast<ssize_t>(size), "the file is written");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace telemetry = airamp::telemetry;
  static const std::vector<char> good = make_segment();
  static const int file = memfd_create("segment", MFD_CLOEXEC);
  static telemetry::SegmentImage image;
  static const telemetry::Observer observer = telemetry::Observer::here();
  if (size == 0) return 0;
  const bool changes = (data[0] & 1U) != 0;
  const char* rest = reinterpret_cast<const char*>(data) + 1;
  if (!changes) {
    write_file(file, rest, size - 1);
  } else {
    std::vector<char> bytes = good;
    for (std::size_t at = 0; at + 10 <= size - 1; at += 10) {
      std::uint16_t place = 0;
      std::memcpy(&place, rest + at, sizeof place);
      // Words that are close to each other in the list hit all of the file.
      const std::size_t word = (std::size_t{place} * 8) % (bytes.size() - 8);
      std::memcpy(bytes.data() + word, rest + at + 2, 8);
    }
    write_file(file, bytes.data(), bytes.size());
  }
  if (!image.read(file).empty()) return 0;
  telemetry::Decoded decoded = telemetry::decode(image.segment(), observer);
  if (!decoded.error.empty()) return 0;
  check(decoded.snapshot);
  std::vector<RankSnapshot> ranks(2, decoded.snapshot);
  ranks[1].rank = decoded.snapshot.rank == 0 ? 1 : 0;
  telemetry::find_stragglers(ranks);
  for (const auto& finding : telemetry::analyse_hang(ranks, 0).findings) require(!finding.text.empty(), "a sentence");
  return 0;
}
