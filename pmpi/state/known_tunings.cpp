// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/known_tunings.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>

#include "pmpi/job/communicator_key.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/state/communicator_policy.hpp"

namespace airamp::pmpi {
namespace {

/// What all must have in common whose measurements say something of each other.
struct Shape {
  SignatureKey signature;
  std::uint64_t members;  ///< the ranks, in order
  double max_relative_error;
  auto operator<=>(const Shape&) const = default;
};

constexpr std::size_t max_known = 4096;  // beyond, a program that never has the same ranks twice would fill the memory

struct KnownTunings {
  std::mutex mutex;
  std::map<Shape, tuner::SignatureTuner> by_shape;
};
constinit ProcessWide<KnownTunings> known_tunings;

Shape shape_of(const CommunicatorState& state, const SignatureKey& key) {
  return {.signature = key, .members = state.members, .max_relative_error = rules_for(state, key).max_relative_error};
}

}  // namespace

std::optional<tuner::SignatureTuner> known_tuning(CommunicatorState& state, const SignatureKey& key) noexcept {
  if (imposed_algorithm(state).has_value()) return std::nullopt;
  if (state.members == 0) state.members = members_of(state.comm, state.inter);
  if (state.members == 0) return std::nullopt;
  try {
    auto& [mutex, known] = *known_tunings;
    const std::lock_guard lock(mutex);
    const auto found = known.find(shape_of(state, key));
    if (found != known.end()) return found->second;
  } catch (const std::bad_alloc&) {  // as if it were not known
  }
  return std::nullopt;
}

void remember_tuning(const CommunicatorState& state, const SignatureKey& key,
                     const SignatureState& signature) noexcept {
  if (state.members == 0 || signature.candidates.is_imposed() || signature.outdated || signature.failure != MPI_SUCCESS)
    return;
  try {
    auto& [mutex, known] = *known_tunings;
    const std::lock_guard lock(mutex);
    const Shape shape = shape_of(state, key);
    if (known.size() < max_known || known.contains(shape)) known.insert_or_assign(shape, signature.tuner);
  } catch (const std::bad_alloc&) {  // later communicators measure for themselves
  }
}

}  // namespace airamp::pmpi
