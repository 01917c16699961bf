// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <unordered_map>
#include <vector>

namespace airamp::gpu::device {

/// What lanes of emulated GPUs store where other ranks read it. It arrives word by word, in any order, while lanes go
/// on; only stores of a lane to the same place stay in order. A load sees what has arrived, and what its own lane has
/// stored; loads themselves stay in order. Not thread-safe.
class EmulatedMemory {
 public:
  /// Numbers of a lane, its warp, its block and its launch, each unlike all others of its kind.
  struct Writer {
    std::uint32_t lane, warp, block, launch;
  };
  /// Whether a place is memory of the GPU that stores there.
  using IsLocal = std::function<bool(const std::uint32_t* place)>;

  struct Store {
    std::uint32_t* to;
    std::uint32_t word[2];
    int words;  ///< that arrive together: 1 or 2
  };

  void store(Writer writer, const Store& store);

  /// What the lane reads there.
  std::uint32_t load(std::uint32_t lane, const std::uint32_t* from);

  /// The lanes of a warp or block have waited for each other: a fence of one of them is from now on one for all of what
  /// they have stored.
  void meet_in_warp(std::uint32_t warp);
  void meet_in_block(std::uint32_t block);

  /// What the lane has stored, and what it knows of, arrives before what it stores afterwards.
  void fence(Writer writer);
  /// The same of what it has stored to local memory alone. A fence of any lane of the launch is from now on one for the
  /// rest as well.
  void fence_on_gpu(Writer writer, const IsLocal& is_local);

  /// All since the last clear().
  const std::vector<Store>& stores() const { return stores_; }

  /// Forgets all stores, also those that have not arrived.
  void clear();

  /// Lets some more stores arrive, or none for once; false if all have arrived.
  bool deliver_some();
  void deliver_all();

 private:
  enum Known { known_to_lane, known_to_warp, known_to_block, known_to_launch };

  struct UnderWay {
    Store store;
    Writer writer;
    Known known;
    bool late;  ///< takes longer than others
  };

  static bool is_known_to(Writer writer, const UnderWay& store);
  static std::uint64_t place(std::uint32_t lane, const std::uint32_t* word);
  /// Those for which `arrives` is true, in the order in which they were stored.
  template <class Predicate>
  void deliver_if(Predicate arrives);

  std::vector<Store> stores_;
  std::vector<UnderWay> under_way_;
  std::unordered_map<std::uint64_t, int> places_;  ///< how many stores of a lane are under way to a place
  std::mt19937 random_;
};

}  // namespace airamp::gpu::device
