// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/fibonacci_hash.hpp"
#include "core/algorithm_id.hpp"
#include "pmpi/algorithm/abilities/brief_exchange.hpp"
#include "pmpi/algorithm/abilities/brief_post.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/group/host/host_meeting.hpp"
#include "telemetry/segment/layout.hpp"

namespace airamp::pmpi {

class PostedExchange;
class StagedExchange;
struct GatedCalls;
struct SignatureState;

/// What was found out about a call by looking at it, and holds for the next one with the same arguments. What such a
/// call needs first comes first: after an application's own work every cache line of it comes from afar.
struct alignas(64) Shortcut {
  CallArguments arguments{};
  std::uint64_t word = 0;        ///< what the rank says of it in an agreement
  std::uint64_t checked_at = 0;  ///< CommunicatorState::looked_at when it was last found to be carried; 0: never

  SignatureState* signature = nullptr;           ///< whose algorithm carried it with its agreement; nullptr: none did
  BriefExchange brief{};                         ///< by what it is carried since `checked_at`, if it is that simple
  telemetry::layout::TrafficRow* row = nullptr;  ///< where it is counted if it is carried so, from its first time on
  AlgorithmId path{};                            ///< what carries it
  bool imposed = false;                          ///< the algorithm, by the user

  GatedCalls* gated = nullptr;                          ///< those that share its agreements
  telemetry::layout::TrafficRow* native_row = nullptr;  ///< as `row`, if the MPI library carries it
  StagedExchange* exchange = nullptr;  ///< of that algorithm since `checked_at`, if its agreement was its exchange
  HostMeeting* meeting = nullptr;      ///< where it is agreed on, since `checked_at`
  std::size_t candidate = 0;           ///< of the signature's: that algorithm
  HostMeeting::Patience patience{};    ///< in its agreement
  double gain_seconds = 0;             ///< about what a call gains that is carried, or 0
  bool agreed = false;                 ///< all ranks were at such a call once
  bool unsynchronized = false;         ///< natively a rank may leave before all have come: its agreement may be closed
  std::uint64_t longest_stream = 0;    ///< of an exchange with blocks of any length, in its agreement

  // of what is posted, as was found when CommunicatorState::looked_at was that
  std::uint64_t posted_checked_at = 0;
  BriefPost post{};                  ///< how, if it is that simple
  PostedExchange* posted = nullptr;  ///< of a reduce, by what; nullptr: it is not

  LocalFacts facts{};
};

/// The shortcuts of the latest calls on a communicator. A rank's own: with one or without, it says and does the same.
class Shortcuts {
 public:
  static constexpr std::size_t places = 16;

  /// Where the shortcut of such a call is, if it has one.
  static std::size_t place_of(const CallArguments& arguments) noexcept {
    // where a root alone has blocks of all, others have but one of their own
    const auto count =
        static_cast<std::uint64_t>(arguments.count) + 5 * static_cast<std::uint64_t>(arguments.sendcount);
    const std::uint64_t mixed =
        (count * 8 + static_cast<std::uint64_t>(arguments.kind)) * 8 + static_cast<std::uint64_t>(arguments.root);
    return base::place_by_hash<places>(mixed);
  }

  /// nullptr if there is none.
  Shortcut* find(const CallArguments& arguments) noexcept {
    Shortcut& shortcut = shortcuts_[place_of(arguments)];
    return shortcut.gated != nullptr && shortcut.arguments == arguments ? &shortcut : nullptr;
  }

  /// Whether a call may have a place that is another one's, where there is no room for both: now and then, as who
  /// remembers each call that comes to such a place finds none of them.
  bool may_replace(const CallArguments& arguments) noexcept {
    constexpr unsigned calls_between = 16;
    const Shortcut& shortcut = shortcuts_[place_of(arguments)];
    return shortcut.gated == nullptr || shortcut.arguments == arguments || ++wanted_ % calls_between == 0;
  }

  /// In place of another, where there is no room for both.
  Shortcut& remember(const Shortcut& shortcut) noexcept { return shortcuts_[place_of(shortcut.arguments)] = shortcut; }

 private:
  std::array<Shortcut, places> shortcuts_{};
  unsigned wanted_ = 0;  ///< places that were another one's
};

}  // namespace airamp::pmpi
