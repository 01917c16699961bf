// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pola/signature.hpp"

namespace airamp::pola {

/// What stands at the head of a trace: one file of one rank's collective calls. docs/pola.md has the format byte by
/// byte.
struct TraceHeader {
  std::uint32_t rank = 0;  ///< in MPI_COMM_WORLD
  std::uint32_t size = 1;  ///< of MPI_COMM_WORLD
  std::int64_t start_unix_ns = 0;
  std::string library;                 ///< name and version of the MPI library
  std::string program;                 ///< the program's name
  std::vector<std::string> functions;  ///< names that TraceEvent::function counts in
};

struct TraceCommunicator {
  std::uint32_t size = 1;
  std::uint32_t rank = 0;  ///< the recording rank's in it
};

/// One collective call.
struct TraceEvent {
  std::uint32_t communicator = 0;  ///< rank-local number, from 0 in order of first sight
  std::uint32_t function = 0;      ///< index into TraceHeader::functions
  std::uint64_t bytes = 0;         ///< as far as equal on all ranks, else 0
  std::uint64_t arguments = 0;     ///< what else is equal on all ranks: element type and operation class; opaque
  std::int64_t entered_ns = 0;     ///< since the start of the trace
  std::int64_t left_ns = 0;        ///< since the start of the trace, not before entered_ns

  bool operator==(const TraceEvent&) const = default;
};

inline Signature signature_of(const TraceEvent& event) {
  return signature_of(event.function, event.bytes, event.arguments);
}

/// What reader and writer share: the numbers of the format.
namespace trace_format {

inline constexpr char magic[8] = {'A', 'I', 'R', 'T', 'R', 'A', 'C', 'E'};
inline constexpr std::uint64_t version = 1;

// A record begins with one of these, or with first_known_shape + n: a call whose communicator, function, bytes and
// arguments stand in slot n.
inline constexpr std::uint8_t end_record = 0;
inline constexpr std::uint8_t communicator_record = 1;
inline constexpr std::uint8_t new_shape_record = 2;
inline constexpr std::uint8_t first_known_shape = 3;
inline constexpr std::size_t shape_slots = 253;

/// Times beyond this, eighteen years, are no times.
inline constexpr std::int64_t largest_time_ns = std::int64_t{1} << 59;

/// The slot that a call's shape is kept in, by the last call that used the slot.
inline std::size_t shape_slot(const TraceEvent& event) {
  std::uint64_t hash = mix(event.arguments + 1);
  hash = mix(hash ^ event.bytes);
  hash = mix(hash ^ (std::uint64_t{event.communicator} << 32 | event.function));
  return hash % shape_slots;
}

inline bool same_shape(const TraceEvent& a, const TraceEvent& b) {
  return a.communicator == b.communicator && a.function == b.function && a.bytes == b.bytes &&
         a.arguments == b.arguments;
}

/// Signed numbers as unsigned ones, small ones first: 0, -1, 1, -2, ...
inline std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t from_zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace trace_format
}  // namespace airamp::pola
