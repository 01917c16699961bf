// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace airamp {

/// The ways of AIRamp's own that a collective can take.
enum class AlgorithmId : std::uint8_t {
#define AIRAMP_ALGORITHM(identifier, name, results, description) identifier,
#include "core/algorithms.inc"
#undef AIRAMP_ALGORITHM
};

enum class Results : std::uint8_t {
  exact,  ///< but for the rounding of the element type
  lossy   ///< they may differ from the exact ones by more
};

/// What people are told of an algorithm.
struct AlgorithmTraits {
  AlgorithmId id;
  std::string_view name;  ///< in settings, reports and metrics
  Results results;
  std::string_view description;
};

/// By the enumerators' values.
inline constexpr std::array algorithm_traits = {
#define AIRAMP_ALGORITHM(identifier, name, results, description) \
  AlgorithmTraits{AlgorithmId::identifier, name, Results::results, description},
#include "core/algorithms.inc"
#undef AIRAMP_ALGORITHM
};
inline constexpr std::size_t algorithm_count = algorithm_traits.size();

constexpr const AlgorithmTraits& traits_of(AlgorithmId id) { return algorithm_traits[static_cast<std::size_t>(id)]; }
constexpr std::string_view to_string(AlgorithmId id) { return traits_of(id).name; }
constexpr bool is_lossy(AlgorithmId id) { return traits_of(id).results == Results::lossy; }

}  // namespace airamp
