// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/functions.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"

namespace airamp::pmpi {

struct CommunicatorState;

/// One call of the application on a communicator, from its entry to its return: counted, and where somebody wants to
/// know, written into the trace and published. On the stack of the call's thread.
class ObservedCall {
 public:
  /// Who wants to know; a bit set.
  enum Observer : unsigned { trace = 1U, publication = 2U, sites = 4U };  ///< sites: only with publication

  /// A call that is passed through. `bytes` as in functions.inc.
  ObservedCall(Function function, std::uint64_t bytes, MPI_Comm comm) : function_(function), bytes_(bytes) {
    count_call(function, bytes);
    if (observers() != 0) begin(comm, nullptr);
  }

  /// A call that may be accelerated.
  ObservedCall(const CollectiveCall& call, std::uint64_t bytes) : function_(call.function()), bytes_(bytes) {
    count_call(function_, bytes);
    if (observers() != 0) begin(call.communicator(), &call);
  }

  /// The same, where the state of its communicator is known.
  ObservedCall(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state)
      : function_(call.function()), bytes_(bytes) {
    count_call(function_, bytes);
    if (observers() != 0) begin(state, &call);
  }

  /// One that is counted already, and published as its communicator's flight if anybody wants to know.
  struct Begun {};
  ObservedCall(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state, Begun begun);

  ~ObservedCall() {
    if (flight_ != nullptr) end();
  }
  ObservedCall(const ObservedCall&) = delete;
  ObservedCall& operator=(const ObservedCall&) = delete;

  /// What the call is at, and the way that it takes.
  void stage(telemetry::Stage stage) noexcept;
  void path(AlgorithmId path) noexcept;
  void exchange(AlgorithmId path) noexcept;
  /// The MPI library carries it out, whatever was tried before.
  void go_native() noexcept;
  void sent(std::uint64_t bytes) noexcept { wire_bytes_ = bytes; }

  /// Whether those who look at the job can see it.
  bool published() const noexcept;
  /// When it was entered, by the publisher's clock. Of published calls.
  std::uint64_t entered_ticks() const noexcept;
  /// It is over now, but for what AIRamp has to note: returns when, by the publisher's clock.
  std::uint64_t leave() noexcept { return left_ticks_ = publisher().now(); }

  /// Whether nobody wants to know of calls but those who are told by publishing them.
  static bool is_only_published() noexcept { return (observers() & ~unsigned{publication}) == 0; }
  static bool is_published() noexcept { return (observers() & publication) != 0; }

  /// From now on calls are looked at by those, a set of Observer. Between MPI_Init's handshake and MPI_Finalize only.
  static void set_observers(unsigned observers) noexcept { wanted_by.store(observers, std::memory_order_release); }

 private:
  static unsigned observers() noexcept { return wanted_by.load(std::memory_order_acquire); }

  void begin(MPI_Comm comm, const CollectiveCall* call);
  void begin(CommunicatorState& state, const CollectiveCall* call);
  /// Without a state of its communicator.
  void begin_stateless();
  void end() noexcept;

  static std::atomic<unsigned> wanted_by;

  Function function_;
  std::uint16_t path_ = 0;  ///< as published; native until something else is known
  std::uint64_t bytes_;
  std::uint64_t wire_bytes_ = 0;
  CommunicatorState* state_ = nullptr;    ///< of its communicator, where one is needed
  telemetry::Flight* flight_ = nullptr;   ///< of the state, or its own; null: nobody wants to know
  std::optional<telemetry::Flight> own_;  ///< where there is no state
  std::uint64_t left_ticks_ = 0;          ///< 0: not yet
  // of the trace
  std::uint64_t arguments_ = 0;  ///< what else is equal on all ranks
  std::int64_t entered_ = 0;     ///< nanoseconds of the steady clock
};

/// Whether a call costs the same together with others as alone: an allreduce of so few bytes.
inline bool is_small_allreduce(Function function, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t max_small_bytes = 256;
  return bytes <= max_small_bytes && (function == Function::MPI_Allreduce || function == Function::MPI_Allreduce_c);
}

/// Says of the call that is in flight on a communicator what it is at, if it is observed.
void mark_stage(const CommunicatorState& state, telemetry::Stage stage) noexcept;
void mark_path(const CommunicatorState& state, AlgorithmId path) noexcept;
/// Both at once: its data go by that path.
void mark_exchange(const CommunicatorState& state, AlgorithmId path) noexcept;
void mark_native(const CommunicatorState& state) noexcept;
void mark_sent(const CommunicatorState& state, std::uint64_t bytes) noexcept;

}  // namespace airamp::pmpi
