// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/registry.hpp"

#include <algorithm>

#include "pmpi/call/promised_order.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

#define AIRAMP_ALGORITHM(identifier, name, results, description) extern const AlgorithmEntry identifier##_entry;
#include "core/algorithms.inc"
#undef AIRAMP_ALGORITHM

namespace {

/// In the order in which they are measured. The entries are constants, so that any order of initialisation will do.
const std::array<AlgorithmId, algorithm_count>& measured_order() {
  static const std::array<AlgorithmId, algorithm_count> order = [] {
    std::array<AlgorithmId, algorithm_count> ids{};
    std::transform(algorithm_traits.begin(), algorithm_traits.end(), ids.begin(),
                   [](const AlgorithmTraits& traits) { return traits.id; });
    std::sort(ids.begin(), ids.end(),
              [](AlgorithmId a, AlgorithmId b) { return entry_of(a).order < entry_of(b).order; });
    return ids;
  }();
  return order;
}

/// Whether an algorithm may carry calls whose order of additions is promised. The messages alone do if they are
/// imposed.
bool keeps_promises(AlgorithmId id, std::optional<AlgorithmId> imposed) {
  return id == AlgorithmId::ordered_messages ||
         (id == AlgorithmId::shared_memory && imposed != AlgorithmId::ordered_messages);
}

}  // namespace

const AlgorithmEntry& entry_of(AlgorithmId id) noexcept {
  static constexpr std::array entries = {
#define AIRAMP_ALGORITHM(identifier, name, results, description) &identifier##_entry,
#include "core/algorithms.inc"
#undef AIRAMP_ALGORITHM
  };
  return *entries[static_cast<std::size_t>(id)];
}

std::optional<AlgorithmId> imposed_by(config::Force force) noexcept {
  switch (force) {
    case config::Force::none:
    case config::Force::native:
      break;
#define AIRAMP_ALGORITHM(identifier, name, results, description) \
  case config::Force::identifier:                                \
    return AlgorithmId::identifier;
#include "core/algorithms.inc"
#undef AIRAMP_ALGORITHM
  }
  return std::nullopt;
}

CandidateList candidates_for(Kind kind, std::uint64_t max_bytes, const LocalFacts& local, int size,
                             std::optional<AlgorithmId> imposed) {
  CandidateList list;
  const bool promised = is_order_promised(kind, local);
  if (promised || imposed) list.set_imposed(promised ? Reason::order_promised : Reason::imposed);
  for (const AlgorithmId id : measured_order()) {
    if (promised ? !keeps_promises(id, imposed) : imposed && *imposed != id) continue;
    const AgreedFacts facts{.kind = kind,
                            .max_bytes = max_bytes,
                            .local = local,
                            .size = size,
                            .ccl_enabled = job().settings.enable_ccl,
                            .imposed = list.is_imposed()};
    if (entry_of(id).carries(facts)) list.add(id);
  }
  return list;
}

}  // namespace airamp::pmpi
