// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "base/cache_line.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/shortcuts.hpp"

namespace airamp::pmpi {

/// Where in memory a short call found what it looks at before it says anything to the others. Each of these is known
/// from the one before; after an application's own work they come from afar, one after the other. The next call like it
/// has the processor fetch them all at once. What lies there is not looked at, and may be gone: nothing follows from
/// it. Thread-safe.
class alignas(32) Footprint {
 public:
  /// Begins to. Not waited for.
  void fetch() const noexcept {
    constexpr std::size_t lines_of_state = 2;
    constexpr std::size_t lines_of_shortcut = 3;
    begin(state_, lines_of_state);
    begin(shortcut_, lines_of_shortcut);
    begin(exchange_, 1);
    begin(figures_, 1);
  }

  /// `exchange`: what brings its data to the others.
  void remember(const CommunicatorState& state, const Shortcut& shortcut, const void* exchange) noexcept {
    if (is_of(state, shortcut, exchange)) [[likely]]
      return;
    state_.store(&state, std::memory_order_relaxed);
    shortcut_.store(&shortcut, std::memory_order_relaxed);
    exchange_.store(exchange, std::memory_order_relaxed);
    figures_.store(figures_of(shortcut), std::memory_order_relaxed);
  }

  /// Whether it is the one that such a call leaves.
  bool is_of(const CommunicatorState& state, const Shortcut& shortcut, const void* exchange) const noexcept {
    return state_.load(std::memory_order_relaxed) == &state && shortcut_.load(std::memory_order_relaxed) == &shortcut &&
           exchange_.load(std::memory_order_relaxed) == exchange &&
           figures_.load(std::memory_order_relaxed) == figures_of(shortcut);
  }

 private:
  using Place = std::atomic<const void*>;

  static const void* figures_of(const Shortcut& shortcut) noexcept { return &shortcut.signature->calls; }

  static void begin(const Place& place, std::size_t lines) noexcept {
    const auto* const first = static_cast<const char*>(place.load(std::memory_order_relaxed));
    for (std::size_t line = 0; line < lines; ++line) __builtin_prefetch(first + base::cache_line * line);
  }

  Place state_{nullptr};
  Place shortcut_{nullptr};
  Place exchange_{nullptr};
  Place figures_{nullptr};
};

/// The latest of the process, by communicator and arguments: several may have one place.
class Footprints {
 public:
  Footprint& of(MPI_Comm comm, const CallArguments& arguments) noexcept {
    return footprints_[place_of(comm) * Shortcuts::places + Shortcuts::place_of(arguments)];
  }
  /// The same, followed.
  Footprint& fetch(MPI_Comm comm, const CallArguments& arguments) noexcept {
    Footprint& footprint = of(comm, arguments);
    footprint.fetch();
    return footprint;
  }

 private:
  std::array<Footprint, LatestCommunicators{}.size() * Shortcuts::places> footprints_{};
};

inline constinit Footprints footprints;

}  // namespace airamp::pmpi
