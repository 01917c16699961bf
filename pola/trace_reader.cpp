// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/trace_reader.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

namespace airamp::pola {

using namespace trace_format;

namespace {

constexpr std::uint64_t any_32_bits = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t any_64_bits = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TraceReader::TraceReader(std::string path) : path_(std::move(path)) {
  std::ifstream file(path_, std::ios::binary);
  if (!file) throw TraceError(path_ + ": " + std::strerror(errno));
  // read(), unlike the iterators of the buffer below it, throws nothing where the file cannot be read.
  for (std::array<char, 1U << 16U> block; file.read(block.data(), block.size()) || file.gcount() > 0;) {
    content_.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw TraceError(path_ + ": cannot be read: " + std::strerror(errno));

  if (!content_.starts_with(std::string(magic, sizeof magic))) fail(0, "not a trace of AIRamp");
  offset_ = sizeof magic;
  if (const std::uint64_t found = get(any_64_bits); found != version) {
    fail(sizeof magic, "format version " + std::to_string(found) + ", not " + std::to_string(version));
  }
  header_.rank = static_cast<std::uint32_t>(get(any_32_bits));
  header_.size = static_cast<std::uint32_t>(get(any_32_bits));
  header_.start_unix_ns = from_zigzag(get(any_64_bits));
  header_.library = get_text();
  header_.program = get_text();
  // Each name takes a byte at least, so a wrong count runs into the end of the file before it costs much memory.
  for (std::uint64_t count = get(any_32_bits); count > 0; --count) header_.functions.push_back(get_text());
}

bool TraceReader::next(TraceEvent& event) {
  if (ended_) return false;
  for (;;) {
    const std::uint8_t record = get_byte();
    if (record == end_record) {
      read_end();
      return false;
    }
    if (record == communicator_record) {
      const auto size = static_cast<std::uint32_t>(get(any_32_bits));
      const std::size_t start = offset_;
      const auto rank = static_cast<std::uint32_t>(get(any_32_bits));
      if (rank >= size) fail(start, "rank " + std::to_string(rank) + " of " + std::to_string(size));
      communicators_.push_back({.size = size, .rank = rank});
      continue;
    }
    TraceEvent read = read_shape(record);
    const std::size_t start = offset_;
    const std::int64_t step = from_zigzag(get(any_64_bits));
    const auto duration = static_cast<std::int64_t>(get(largest_time_ns));
    const auto plausible = [](std::int64_t time_ns) {
      return time_ns >= -largest_time_ns && time_ns <= largest_time_ns;
    };
    if (!plausible(step) || !plausible(last_entered_ns_ + step)) fail(start, "no time of a call");
    read.entered_ns = last_entered_ns_ + step;
    read.left_ns = read.entered_ns + duration;
    last_entered_ns_ = read.entered_ns;
    ++events_;
    event = read;
    return true;
  }
}

TraceEvent TraceReader::read_shape(std::uint8_t record) {
  const std::size_t start = offset_ - 1;
  if (record >= first_known_shape) {
    const std::size_t slot = record - first_known_shape;
    if (!known_[slot]) fail(start, "refers to a call that did not come before");
    return shapes_[slot];
  }
  TraceEvent event;
  event.communicator = static_cast<std::uint32_t>(get(any_32_bits));
  if (event.communicator >= communicators_.size()) {
    fail(start, "communicator " + std::to_string(event.communicator) + " was not introduced");
  }
  event.function = static_cast<std::uint32_t>(get(any_32_bits));
  if (event.function >= header_.functions.size()) {
    fail(start, "function " + std::to_string(event.function) + " has no name");
  }
  event.bytes = get(any_64_bits);
  event.arguments = get(any_64_bits);
  const std::size_t slot = shape_slot(event);
  shapes_[slot] = event;
  known_[slot] = true;
  return event;
}

void TraceReader::read_end() {
  const std::size_t start = offset_;
  if (const std::uint64_t count = get(any_64_bits); count != events_) {
    fail(start, "has " + std::to_string(events_) + " calls, not " + std::to_string(count));
  }
  if (offset_ != content_.size()) fail(offset_, "goes on behind its end");
  ended_ = true;
}

void TraceReader::fail(std::size_t offset, const std::string& what) const {
  throw TraceError(path_ + ": byte " + std::to_string(offset) + ": " + what);
}

std::uint8_t TraceReader::get_byte() {
  if (offset_ >= content_.size()) fail(offset_, "the trace is cut off");
  return static_cast<std::uint8_t>(content_[offset_++]);
}

std::uint64_t TraceReader::get(std::uint64_t largest) {
  const std::size_t start = offset_;
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint64_t byte = get_byte();
    const std::uint64_t bits = byte & 0x7f;
    if (shift > 63 || (shift == 63 && bits > 1)) fail(start, "a number of more than 64 bits");
    value |= bits << shift;
    if (byte < 0x80) break;
  }
  if (value > largest) fail(start, "the number " + std::to_string(value) + " is too large");
  return value;
}

std::string TraceReader::get_text() {
  const std::uint64_t size = get(any_32_bits);
  if (size > content_.size() - offset_) fail(content_.size(), "the trace is cut off");
  std::string text = content_.substr(offset_, size);
  offset_ += size;
  return text;
}

}  // namespace airamp::pola
