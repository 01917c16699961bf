// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace airamp {

/// Why a call, or all calls of a kind, take the path that they take; for most it is the native one.
/// core/explanation.hpp makes a sentence of it. Segments hold the numbers: a new one is a new layout version.
enum class Reason : std::uint8_t {
  none,  ///< nothing is said

  // what measuring says
  measuring,
  fastest,  ///< the path is AIRamp's own
  too_slow,
  error_above_bound,
  not_measurable,
  given_up,      ///< by the algorithm itself, after it was chosen
  not_acquired,  ///< memory, peer mappings and the like
  imposed,

  // nobody asked
  off,
  forced_native,
  function_passed_through,
  no_gpus,
  not_asked,

  // not compressed
  collective_not_compressed,
  too_many_ranks,
  below_min_bytes,
  type_not_compressed,
  products_not_compressed,
  type_not_in_lossy_types,
  compression_off,

  // data that AIRamp cannot work on
  unknown_type,
  not_floating_point,
  unknown_operation,
  user_operation_on_type,
  user_operation_undecided,
  user_operation_unknown,
  user_operation_of_another_format,
  unknown_sent_type,
  no_such_root,
  no_data,

  // what the ranks found when they compared
  not_aligned,
  different_lengths,
  different_memories,
  different_facts,
  gpu_reset,
  suspended,
  no_room_on_gpu,
  no_order_of_sums,
  order_not_asked,
  order_not_by_host,
  not_together,

  order_promised,  ///< the path is AIRamp's own, whatever is faster

  // data again, of reductions and exchanges through shared memory
  values_for_the_library,
  in_place,
  many_with_holes
};

inline constexpr std::size_t reason_count = static_cast<std::size_t>(Reason::many_with_holes) + 1;

/// The name of a reason for programs, in lower case with underscores; that of `none` is empty.
std::string_view name_of(Reason reason) noexcept;

/// The sentence for people, without figures and details.
std::string_view sentence_of(Reason reason) noexcept;

/// The reason of that number; nothing if there is none.
constexpr std::optional<Reason> reason_of(std::uint64_t number) noexcept {
  if (number >= reason_count) return std::nullopt;
  return static_cast<Reason>(number);
}

/// The reason of that name; `none` if there is none.
Reason reason_named(std::string_view name) noexcept;

/// What a kind of calls is left to the MPI library for, as the metrics' label has it: "not_eligible", "not_acquired",
/// "error_above_bound", "too_slow" or "imposed". Empty if it is not left, or is still being measured.
std::string_view fallback_of(Reason reason) noexcept;

}  // namespace airamp
