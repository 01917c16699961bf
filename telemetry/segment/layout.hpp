// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "telemetry/segment/snapshot.hpp"
#include "telemetry/segment/text_field.hpp"

/// The bytes of a segment: docs/telemetry.md describes them. Any change of what follows is a new `version`.
namespace airamp::telemetry::layout {

using Word = std::atomic<std::uint64_t>;
using HalfWord = std::atomic<std::uint32_t>;
static_assert(Word::is_always_lock_free && HalfWord::is_always_lock_free);
static_assert(sizeof(Word) == 8 && sizeof(HalfWord) == 4);

/// "AIRAMPSG" on a machine of either byte order: a segment of the other order is foreign.
inline constexpr std::uint64_t magic = 0x4149'5241'4d50'5347;
inline constexpr std::uint32_t version = 6;

inline constexpr std::size_t functions = 256;
inline constexpr std::size_t paths = 32;
inline constexpr std::size_t communicators = 65;
inline constexpr std::size_t other_communicators = 64;  ///< the entry that all share that found no room
inline constexpr std::size_t decisions = 128;
inline constexpr std::size_t flights = 256;
inline constexpr std::size_t traffic = 512;
inline constexpr std::uint16_t no_path = 0xffff;

enum class ClockKind : std::uint32_t { monotonic = 1, time_stamp_counter = 2, virtual_counter = 3 };

enum class CommunicatorUse : std::uint32_t { vacant, used, freed, changing };

/// In the order of a call; `done` is the last.
enum class Stage : std::uint16_t { entered, agreement, measuring, native, exchange, done };
inline constexpr std::array<std::string_view, 6> stage_names = {"entered", "agreement", "measuring",
                                                                "native",  "exchange",  "done"};

enum class PolaState : std::uint32_t { off, learning, locked, broken };
inline constexpr std::array<std::string_view, 4> pola_state_names = {"off", "learning", "locked", "broken"};

enum class Counter : std::uint32_t {
  agreements,
  tuning_calls,
  tuning_nanoseconds,
  device_scratch_bytes,
  ghost_kernel_launches,
  dropped
};
inline constexpr std::size_t counter_count = 6;

/// The three clocks read at one moment, as nearly as that goes.
struct ClockSample {
  Word ticks;
  Word monotonic_ns;
  Word realtime_ns;
};

struct Header {
  Word magic;  ///< written last: 0 while the segment is being made
  std::uint32_t version = layout::version;
  ClockKind clock{};
  std::uint64_t total_size = 0;

  std::int32_t rank = 0;
  std::int32_t size = 0;
  std::uint64_t process = 0;
  std::uint64_t process_start = 0;
  std::uint64_t process_namespace = 0;  ///< inode of /proc/self/ns/pid
  std::uint32_t functions = 0;
  std::uint32_t paths = 0;
  TextField<40> boot;
  TextField<64> job;
  TextField<128> host;
  TextField<32> user;
  TextField<32> version_of_airamp;
  TextField<256> mpi;
  TextField<16> architecture;
  TextField<64> program;

  ClockSample opened;
  Word latest_version;  ///< odd while `latest` changes
  ClockSample latest;

  Word state_version;  ///< odd while `on`, `why_off` or `gpu` changes
  HalfWord on;
  HalfWord finalized;
  TextField<128> why_off;
  TextField<64> gpu;
  Word finalized_ns;  ///< since the Unix epoch

  HalfWord communicators;  ///< entries that were ever used, without the shared one
  HalfWord decisions;
  HalfWord traffic;
  HalfWord unused;
  Word flights;  ///< collectives entered so far
  std::array<Word, counter_count> counters;
};

struct CommunicatorRow {
  Word version;  ///< odd while the entry gets another communicator or name
  Word key;
  std::atomic<CommunicatorUse> use;
  std::atomic<PolaState> pola_state;
  HalfWord size;
  HalfWord rank;
  Word collectives;
  Word pola_period;
  Word pola_events;
  Word pola_hits;
  Word pola_misses;
  Word lateness_ns;
  Word waiting_ns;
  TextField<64> name;
};

struct DecisionRow {
  Word version;  ///< odd while the row changes
  Word key;      ///< as of traffic, without a path
  Word path;
  Word speedup;  ///< this and the next three are the bits of a double
  Word relative_error;
  Word native_seconds;
  Word airamp_seconds;
  TextField<24> element;
  TextField<40> op;
  HalfWord state;   ///< a DecisionState
  HalfWord reason;  ///< a Reason, and below for people
  TextField<128> why;
};

struct alignas(64) FlightRow {
  Word version;  ///< 2 * ticket + 1 while written, 2 * ticket + 2 afterwards
  Word sequence;
  Word what;  ///< communicator, function, path, stage: 16 bits each, the communicator in the highest
  Word bytes;
  Word entered;  ///< ticks
  Word left;     ///< ticks; 0: still inside
};

struct TrafficRow {
  Word key;  ///< 0: free
  Word bytes;
  Word wire_bytes;
  Word nanoseconds;
  std::array<Word, latency_buckets> histogram;
};

struct Segment {
  Header header;
  std::array<TextField<48>, functions> function_names;
  std::array<TextField<48>, paths> path_names;
  std::array<CommunicatorRow, communicators> communicator_rows;
  std::array<DecisionRow, decisions> decision_rows;
  std::array<FlightRow, flights> flight_rows;
  std::array<TrafficRow, traffic> traffic_rows;
  std::array<Word, functions> message_ns;  ///< by function: spent in calls that wait for messages or requests
};
static_assert(std::is_standard_layout_v<Segment>);
// These keep their places in every version, for those who clean up after another one.
static_assert(offsetof(Header, magic) == 0 && offsetof(Header, version) == 8 && offsetof(Header, boot) == 64);
static_assert(sizeof(FlightRow) == 64 && sizeof(TrafficRow) == 256);

/// What traffic and decisions are kept by; never 0.
struct Key {
  std::uint16_t communicator = 0;
  std::uint16_t function = 0;
  std::uint8_t size_bucket = 0;
  std::uint16_t path = 0;
  bool valid = true;

  constexpr std::uint64_t packed() const {
    return std::uint64_t{1} << 63 | std::uint64_t{communicator} << 40 | std::uint64_t{function} << 24 |
           std::uint64_t{size_bucket} << 16 | path;
  }
  static constexpr Key unpack(std::uint64_t word) {
    return {.communicator = static_cast<std::uint16_t>(word >> 40),
            .function = static_cast<std::uint16_t>(word >> 24),
            .size_bucket = static_cast<std::uint8_t>(word >> 16),
            .path = static_cast<std::uint16_t>(word),
            .valid = (word >> 56) == 0x80};
  }
};

/// FlightRow::what.
struct What {
  std::uint16_t communicator = 0;
  std::uint16_t function = 0;
  std::uint16_t path = no_path;
  Stage stage = Stage::entered;

  constexpr std::uint64_t packed() const {
    return std::uint64_t{communicator} << 48 | std::uint64_t{function} << 32 | std::uint64_t{path} << 16 |
           static_cast<std::uint64_t>(stage);
  }
  static constexpr What unpack(std::uint64_t word) {
    return {.communicator = static_cast<std::uint16_t>(word >> 48),
            .function = static_cast<std::uint16_t>(word >> 32),
            .path = static_cast<std::uint16_t>(word >> 16),
            .stage = static_cast<Stage>(word & 0xffff)};
  }
};

}  // namespace airamp::telemetry::layout
