// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "pmpi/mpi/functions.hpp"
#include "pmpi/state/call_sites/program_stack.hpp"

namespace airamp::pmpi {

/// Tells the calls of a function apart by the last return addresses on the program's stack, and adds up their times.
/// Thread-safe.
class CallSites {
 public:
  static constexpr std::size_t max_frames = 16;
  /// Of more, the later ones are counted together, as from nowhere.
  static constexpr std::size_t max_sites = 1000;

  struct Key {
    Function function;
    std::array<void*, max_frames> frames{};  ///< innermost first; behind the last one nullptr
    auto operator<=>(const Key&) const = default;
  };
  struct Sums {
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
    std::uint64_t ticks = 0;
  };

  /// `frames`: how many return addresses tell sites apart, 1 to `max_frames`. Throws std::bad_alloc.
  explicit CallSites(int frames) : frames_(static_cast<std::size_t>(frames)) {}

  /// A call that ends now, in whose stack this is called. Not counted if there is no memory for it.
  void note(Function function, std::uint64_t bytes, std::uint64_t ticks) noexcept;

  /// The sites in which the most time went, at most `count`, the first one first. Throws std::bad_alloc.
  std::vector<std::pair<Key, Sums>> most_expensive(std::size_t count) const;

 private:
  const std::size_t frames_;
  const ProgramStack stack_;
  mutable std::mutex mutex_;
  std::map<Key, Sums> sums_;
};

/// This rank's; nullptr if nobody asked for them. Never destroyed: exit handlers of the application may still call MPI.
inline std::atomic<CallSites*> call_sites{nullptr};

/// Notes a call where call sites are looked at.
inline void note_call_site(Function function, std::uint64_t bytes, std::uint64_t ticks) noexcept {
  if (CallSites* const sites = call_sites.load(std::memory_order_acquire)) sites->note(function, bytes, ticks);
}

}  // namespace airamp::pmpi
