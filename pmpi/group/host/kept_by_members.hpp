// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace airamp::pmpi {

/// What a process keeps of communicators that were freed, for later ones of the same ranks: the latest few.
/// Thread-safe. `Shared`: what its ranks have in shared memory; it knows its `rank`, `size`, `shared_bytes` and
/// `digest`.
template <class Shared>
class KeptByMembers {
 public:
  /// A program has few kinds of communicators that it makes again and again.
  static constexpr std::size_t most = 16;
  /// Of shared memory, by what this rank's part of each is. About five host groups that carry long vectors.
  static constexpr std::size_t most_bytes = 2U << 20U;

  /// Takes what nobody uses any more.
  void keep(std::uint64_t members, std::unique_ptr<Shared> unused) noexcept {
    std::list<Entry> beyond;  // to be destroyed without the lock
    try {
      std::list<Entry> latest;
      latest.push_back({.members = members, .shared = std::move(unused)});
      const std::lock_guard lock(mutex_);
      entries_.splice(entries_.begin(), latest);
      beyond.splice(beyond.begin(), entries_, first_beyond(), entries_.end());
    } catch (const std::bad_alloc&) {  // it is not kept
    }
  }

  /// The latest of these members in which this rank has that number; nullptr if there is none. It is not kept any more.
  /// (Of more than 64 ranks `members` does not tell all orders apart. If they are in another one, some rank has another
  /// number.)
  std::unique_ptr<Shared> take(std::uint64_t members, int rank) noexcept {
    return take_if([=](const Entry& entry) { return entry.members == members && entry.shared->rank() == rank; });
  }

  /// The same of the one that has that digest.
  std::unique_ptr<Shared> take(std::uint64_t members, int rank, std::uint64_t digest) noexcept {
    return take_if([=](const Entry& entry) {
      return entry.members == members && entry.shared->rank() == rank && entry.shared->digest() == digest;
    });
  }

  void clear() noexcept {
    std::list<Entry> all;  // to be destroyed without the lock
    const std::lock_guard lock(mutex_);
    all.swap(entries_);
  }

 private:
  struct Entry {
    std::uint64_t members;
    std::unique_ptr<Shared> shared;
  };

  template <class IsWanted>
  std::unique_ptr<Shared> take_if(const IsWanted& is_wanted) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(), is_wanted);
    if (found == entries_.end()) return nullptr;
    std::unique_ptr<Shared> shared = std::move(found->shared);
    entries_.erase(found);
    return shared;
  }

  /// The first one that has to go for the others, and all behind it.
  typename std::list<Entry>::iterator first_beyond() noexcept {
    std::size_t left = most;
    std::size_t bytes = 0;
    return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      bytes += entry.shared->shared_bytes() / static_cast<std::size_t>(entry.shared->size());
      return left-- == 0 || bytes > most_bytes;
    });
  }

  std::mutex mutex_;
  std::list<Entry> entries_;  ///< the latest first
};

}  // namespace airamp::pmpi
