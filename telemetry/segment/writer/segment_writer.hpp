// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/decision_state.hpp"
#include "core/reason.hpp"
#include "telemetry/segment/layout.hpp"
#include "telemetry/segment/tick_clock.hpp"

namespace airamp::telemetry {

using layout::Counter;
using layout::PolaState;
using layout::Stage;

/// Who publishes, and the names that its numbers stand for. Text that is too long is cut.
struct Identity {
  int rank = 0;
  int size = 1;  ///< of MPI_COMM_WORLD
  std::string_view version;
  std::string_view mpi;
  std::string_view architecture;
  std::string_view gpu;
  std::string_view program;  ///< empty: the name of this process's executable
  std::string_view host;     ///< empty: this host's name
  std::string_view user;     ///< empty: $USER, or the number of the user
  /// Whether several threads may publish at the same time (MPI_THREAD_MULTIPLE). One thread alone is faster.
  bool several_threads = true;
  std::span<const std::string_view> functions;  ///< at most layout::functions
  std::span<const std::string_view> paths;      ///< at most layout::paths; the first is "native"
};

/// A communicator's entry. As made, the one that all share that found no room. Whoever publishes keeps one for each
/// communicator, and publishes a communicator's sums by one thread at a time.
struct CommunicatorSlot {
  std::uint16_t index = layout::other_communicators;

  /// What the shared entry has of this communicator already; of an entry of its own nothing.
  struct Shared {
    std::uint64_t pola_events = 0;
    std::uint64_t pola_hits = 0;
    std::uint64_t pola_misses = 0;
    std::uint64_t lateness_ns = 0;
    std::uint64_t waiting_ns = 0;
  };
  mutable Shared shared;
};

/// A collective that this rank is inside of; kept by the call.
struct Flight {
  layout::FlightRow* row = nullptr;  ///< none: it is not published
  std::uint64_t ticket = 0;
  std::uint64_t entered = 0;  ///< ticks
  std::uint64_t bytes = 0;
  std::uint64_t what = 0;  ///< layout::What as it was entered
};

/// Calls of one communicator, function, length and path, and where they are counted.
struct AlikeCalls {
  layout::TrafficRow* row = nullptr;  ///< none: they are not published
  std::uint64_t what = 0;             ///< layout::What while this rank is inside
  std::uint64_t bytes = 0;
};

/// What the tuner has decided, see RankSnapshot::Decision.
struct DecisionFigures {
  std::uint16_t function = 0;
  std::uint8_t size_bucket = 0;  ///< see core/size_bucket.hpp
  std::uint16_t path = 0;
  std::string_view element;
  std::string_view op;
  DecisionState state = DecisionState::unknown;
  Reason reason = Reason::none;
  std::string_view why;
  double speedup = 0;
  double relative_error = 0;
  double native_seconds = 0;
  double airamp_seconds = 0;
};

/// PoLA's figures of a communicator, all since it was made.
struct PolaFigures {
  PolaState state = PolaState::off;
  std::uint64_t period = 0;
  std::uint64_t events = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
};

/// Publishes what one rank does in its segment. As made, or if there is no segment, it does nothing. All members but
/// `open`, moves and destruction are thread-safe if the identity says so, never block, never throw, and call neither
/// the system nor an allocator.
class SegmentWriter {
 public:
  struct OpenResult;

  /// Makes FOLDER/airamp-UID/JOB/rank-N.segment (segment_file.hpp). The first rank of a job on a host removes what dead
  /// processes have left. Never throws.
  static OpenResult open(const std::string& folder, const std::string& job, const Identity& identity) noexcept;

  constexpr SegmentWriter() noexcept = default;

  bool publishes() const noexcept { return state_ != nullptr; }
  /// From now on several threads may publish at the same time, though the identity said no. Before they do.
  void expect_several_threads() noexcept;

  /// The clock that `begin` and `end` want their times of, in ticks.
  std::uint64_t now() const noexcept { return read_ticks(clock_); }

  /// Nanoseconds from the opening of the segment to a moment of that clock; 0 without one. For the times between calls:
  /// it never jumps, and runs up to 1 % fast or slow. In segment_writer_calls.hpp.
  inline std::int64_t nanoseconds_since_open(std::uint64_t ticks) const noexcept;

  /// Enters a communicator; `key` is not 0, equal on all of its ranks and different from the job's other ones.
  CommunicatorSlot add_communicator(std::uint64_t key, std::string_view name, int size, int rank) noexcept;
  /// Whether another communicator would get an entry of its own.
  bool has_room() const noexcept;
  void rename_communicator(const CommunicatorSlot& slot, std::string_view name) noexcept;
  /// The entry stays to be read until its room is needed.
  void free_communicator(const CommunicatorSlot& slot) noexcept;

  /// A collective begins. `function` indexes the identity's; one beyond its end is not published. This and `end` are
  /// inline, for every call pays for them: whoever calls them includes segment_writer_calls.hpp. `path` and `stage`: if
  /// they are known already, as of `path` below.
  inline Flight begin(const CommunicatorSlot& slot, std::uint16_t function, std::uint64_t bytes, std::uint64_t now,
                      std::uint16_t path = layout::no_path, Stage stage = Stage::entered) noexcept;
  void stage(const Flight& flight, Stage stage) noexcept;
  /// The path is known: an index into the identity's.
  void path(const Flight& flight, std::uint16_t path) noexcept;
  void path(const Flight& flight, std::uint16_t path, Stage stage) noexcept;
  /// It is over. `wire_bytes`: sent by this rank, 0 if not known.
  inline void end(const Flight& flight, std::uint16_t path, std::uint64_t wire_bytes, std::uint64_t now) noexcept;
  /// `row`: where calls of its communicator, function, size and path are counted, from the first such call on.
  inline void end(const Flight& flight, std::uint16_t path, std::uint64_t wire_bytes, std::uint64_t now,
                  layout::TrafficRow*& row) noexcept;

  /// The same of one of many alike, in fewer steps. `alike`: as of `begin` and `end`, from the first such call's end
  /// on; without a row where there is none, or where several threads publish. `begin` and `end` want one that has a
  /// row.
  inline AlikeCalls alike(const CommunicatorSlot& slot, std::uint16_t function, std::uint64_t bytes, std::uint16_t path,
                          Stage stage, layout::TrafficRow* row) noexcept;
  inline Flight begin(const AlikeCalls& calls, std::uint64_t now) noexcept;
  inline void end(const AlikeCalls& calls, const Flight& flight, std::uint64_t now) noexcept;

  /// Whether its clock is the processor's own: another one would cost more than some of the calls that wait for
  /// messages.
  bool times_messages() const noexcept { return state_ != nullptr && clock_ != layout::ClockKind::monotonic; }
  /// Time in calls that wait for messages or requests, in ticks of `now`. `function` as of `begin`.
  inline void add_message_time(std::uint16_t function, std::uint64_t ticks) noexcept;

  void set_decision(const CommunicatorSlot& slot, const DecisionFigures& figures) noexcept;
  /// Sums since the communicator was made, in calls here, in seconds below, that never fall. In the shared entry they
  /// are added up; the state and the period there are those published last.
  void set_pola(const CommunicatorSlot& slot, const PolaFigures& figures) noexcept;
  void set_waits(const CommunicatorSlot& slot, double lateness_seconds, double waiting_seconds) noexcept;
  inline void add(Counter counter, std::uint64_t amount) noexcept;  // in segment_writer_calls.hpp
  void set(Counter counter, std::uint64_t value) noexcept;
  void set_on(bool on, std::string_view why_off) noexcept;
  void set_gpu(std::string_view gpu) noexcept;

  /// Lets readers without this host's clock turn ticks into times. Called now and then by `begin`; best called at the
  /// end of MPI_Init too.
  void refresh_clock() noexcept;

  /// In MPI_Finalize: nothing is published afterwards.
  void finalize() noexcept;

  /// The segment's file; empty if there is none.
  const std::string& file() const noexcept;

 private:
  struct State;
  struct DeleteState {
    void operator()(State* state) const noexcept;
  };
  explicit SegmentWriter(State* state) noexcept;
  inline Flight enter(State& state, std::uint64_t ticket, std::uint64_t sequence, std::uint64_t what,
                      std::uint64_t bytes, std::uint64_t now) noexcept;

  std::unique_ptr<State, DeleteState> state_;
  layout::ClockKind clock_ = layout::ClockKind::monotonic;
};

/// A writer, or one that does nothing and why.
struct SegmentWriter::OpenResult {
  SegmentWriter writer;
  std::string why_off;
};

}  // namespace airamp::telemetry
