// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "pola/trace_file.hpp"

namespace airamp::pola {

/// A trace that cannot be read: "FILE: byte N: what is wrong there".
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a trace, event by event. Whatever the file contains, it throws TraceError at worst. Not thread-safe.
class TraceReader {
 public:
  /// Reads the whole file into memory, and its header.
  explicit TraceReader(std::string path);

  const std::string& path() const { return path_; }
  const TraceHeader& header() const { return header_; }

  /// The communicators of the events that next() has returned, by their number.
  const std::vector<TraceCommunicator>& communicators() const { return communicators_; }

  /// The next event; false at the end of the trace. A trace without an end, of a rank that was killed, throws there.
  bool next(TraceEvent& event);

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& what) const;
  std::uint8_t get_byte();
  std::uint64_t get(std::uint64_t largest);
  std::string get_text();
  TraceEvent read_shape(std::uint8_t record);
  void read_end();

  std::string path_;
  std::string content_;
  std::size_t offset_ = 0;
  TraceHeader header_;
  std::vector<TraceCommunicator> communicators_;
  std::uint64_t events_ = 0;
  bool ended_ = false;
  std::int64_t last_entered_ns_ = 0;
  std::array<TraceEvent, trace_format::shape_slots> shapes_;
  std::array<bool, trace_format::shape_slots> known_{};
};

}  // namespace airamp::pola
