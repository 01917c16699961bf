// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "config/settings.hpp"
#include "core/algorithm_id.hpp"
#include "core/reason.hpp"
#include "pmpi/algorithm/acquisition.hpp"
#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// What all ranks know alike of the calls of a signature, and all that an algorithm's predicate may look at.
struct AgreedFacts {
  Kind kind;
  std::uint64_t max_bytes;  ///< of one call
  const LocalFacts& local;  ///< its type, operation, memory, and what was found possible
  int size;                 ///< of the communicator
  bool ccl_enabled;
  bool imposed;  ///< the algorithm that is asked, by the user
};

/// How an algorithm declares itself, in its own file, as the object `identifier##_entry` (core/algorithms.inc).
struct AlgorithmEntry {
  /// When it is measured: the lossy ones last, since all results of a trial go to the same scratch.
  int order;

  /// Whether it can carry the calls of a signature and is worth a measurement.
  bool (*carries)(const AgreedFacts& facts);

  /// Collective: takes what it needs, on all ranks or on none. Throws std::bad_alloc on any rank alone only before the
  /// ranks speak with each other.
  Acquired (*acquire)(const Acquisition& acquisition);
};

const AlgorithmEntry& entry_of(AlgorithmId id) noexcept;

/// The algorithm that a value of AIRAMP_FORCE imposes, if it imposes one.
std::optional<AlgorithmId> imposed_by(config::Force force) noexcept;

/// Algorithms, in the order in which they are measured.
class CandidateList {
 public:
  void add(AlgorithmId id) { ids_[count_++] = id; }
  std::size_t size() const { return count_; }

  /// Whether the user imposes them, or none: nothing is left to be measured, and of several the first is taken that can
  /// be had. And why; `none`: he does not.
  bool is_imposed() const { return why_imposed_ != Reason::none; }
  Reason why_imposed() const { return why_imposed_; }
  void set_imposed(Reason why) { why_imposed_ = why; }

  AlgorithmId operator[](std::size_t index) const { return ids_[index]; }
  const AlgorithmId* begin() const { return ids_.data(); }
  const AlgorithmId* end() const { return ids_.data() + count_; }

 private:
  std::array<AlgorithmId, algorithm_count> ids_{};
  std::size_t count_ = 0;
  Reason why_imposed_ = Reason::none;
};

/// The algorithms that the calls of a signature can take, of at most `max_bytes` bytes each; a function of agreed
/// facts alone. At most the imposed one, if one is; of calls whose order of additions is promised, whatever else
/// `imposed` says, shared memory and, where that is not to be had, messages.
CandidateList candidates_for(Kind kind, std::uint64_t max_bytes, const LocalFacts& local, int size,
                             std::optional<AlgorithmId> imposed);

}  // namespace airamp::pmpi
