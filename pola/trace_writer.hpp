// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "pola/trace_file.hpp"

namespace airamp::pola {

/// Writes a trace, in blocks of 64 KiB. Thread-safe but for open() and the destructor; throws nothing. A write that
/// fails ends the recording: what comes later is dropped, and close() says so.
class TraceWriter {
 public:
  /// As write(2); a failed one returns less than 0 and sets errno.
  using Write = ssize_t (*)(int file, const void* bytes, std::size_t count);

  /// `write`: how the blocks get into the file.
  explicit TraceWriter(Write write = ::write) : write_(write) {}
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// As close(), and what it returns is lost.
  ~TraceWriter() { close(); }

  /// Creates the file, or empties it, and writes the header. False and errno if that fails. To be called once.
  bool open(const char* path, const TraceHeader& header) noexcept;

  /// Whether events are being recorded.
  bool recording() const noexcept;

  /// A communicator, before its first event: the first is number 0, the next number 1 and so on. Returns its number.
  std::uint32_t add_communicator(const TraceCommunicator& communicator) noexcept;

  /// One call. Its communicator has been added. A call that left before it entered is recorded as of no duration.
  void record(const TraceEvent& event) noexcept;

  /// Writes the rest and closes the file. False and errno if this or any write before failed. May be called again.
  bool close() noexcept;

 private:
  static constexpr std::size_t block_bytes = std::size_t{64} << 10;
  static constexpr std::size_t largest_record = 64;

  void make_room(std::size_t bytes);
  void flush();
  void put(std::uint64_t value);
  void put_bytes(std::string_view bytes);

  Write write_;
  mutable std::mutex mutex_;
  int file_ = -1;
  int error_ = 0;  ///< errno of the first write that failed
  std::unique_ptr<char[]> block_;
  std::size_t used_ = 0;
  std::uint32_t communicators_ = 0;
  std::uint64_t events_ = 0;
  std::int64_t last_entered_ns_ = 0;
  std::array<TraceEvent, trace_format::shape_slots> shapes_;
  std::array<bool, trace_format::shape_slots> known_{};
};

}  // namespace airamp::pola
