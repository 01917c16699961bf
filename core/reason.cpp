// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/reason.hpp"

#include <array>

namespace airamp {
namespace {

struct Words {
  Reason reason;
  std::string_view name;
  std::string_view sentence;
};

/// By number. Where the sentence is empty, it is made of figures or of a detail alone.
constexpr std::array<Words, reason_count> words = {{
    {Reason::none, "", ""},

    {Reason::measuring, "measuring", "still measuring"},
    {Reason::fastest, "fastest", ""},
    {Reason::too_slow, "too_slow", ""},
    {Reason::error_above_bound, "error_above_bound", ""},
    {Reason::not_measurable, "not_measurable", "no candidate could be measured for want of memory"},
    {Reason::given_up, "given_up", ""},
    {Reason::not_acquired, "not_acquired", ""},
    {Reason::imposed, "imposed", "imposed by AIRAMP_FORCE"},

    {Reason::off, "off", "AIRamp is off"},
    {Reason::forced_native, "forced_native", "AIRAMP_FORCE is native"},
    {Reason::function_passed_through, "function_passed_through",
     "passed through: not a function that AIRamp accelerates"},
    {Reason::no_gpus, "no_gpus", "no GPUs: passed through"},
    {Reason::not_asked, "not_asked",
     "one rank, an inter-communicator, among the first calls, or in a pause between agreements"},

    {Reason::collective_not_compressed, "collective_not_compressed",
     "not a collective that is compressed, and its buffers lie in host memory"},
    {Reason::too_many_ranks, "too_many_ranks", "the communicator has too many ranks for compression"},
    {Reason::below_min_bytes, "below_min_bytes", "smaller than min_bytes"},
    {Reason::type_not_compressed, "type_not_compressed", "not a floating-point type that AIRamp compresses"},
    {Reason::products_not_compressed, "products_not_compressed", "products are not compressed"},
    {Reason::type_not_in_lossy_types, "type_not_in_lossy_types", "lossy_types does not include this element type"},
    {Reason::compression_off, "compression_off", "lossy compression is not enabled"},

    {Reason::unknown_type, "unknown_type", "not a number type that AIRamp knows"},
    {Reason::not_floating_point, "not_floating_point", "not known to be a floating-point type that AIRamp compresses"},
    {Reason::unknown_operation, "unknown_operation", "not an operation that AIRamp computes on this type"},
    {Reason::user_operation_on_type, "user_operation_on_type", "a user-defined operation on this type"},
    {Reason::user_operation_undecided, "user_operation_undecided",
     "the data so far do not tell what the user-defined operation does"},
    {Reason::user_operation_unknown, "user_operation_unknown",
     "the user-defined operation is no half-precision sum, maximum or minimum"},
    {Reason::user_operation_of_another_format, "user_operation_of_another_format",
     "the type was declared as another format than its operation works on"},
    {Reason::unknown_sent_type, "unknown_sent_type", "what is sent is not known to be of the received element type"},
    {Reason::no_such_root, "no_such_root", "there is no such root"},
    {Reason::no_data, "no_data", "it has no data"},

    {Reason::not_aligned, "not_aligned", "a buffer in GPU memory is not aligned to its elements"},
    {Reason::different_lengths, "different_lengths", "the ranks see different lengths"},
    {Reason::different_memories, "different_memories", "its buffers lie in different memories"},
    {Reason::different_facts, "different_facts", "the ranks see different data types or memories"},
    {Reason::gpu_reset, "gpu_reset", "the application has reset a GPU"},
    {Reason::suspended, "suspended", "switched off by MPI_Pcontrol or another thread's call was on the GPU"},
    {Reason::no_room_on_gpu, "no_room_on_gpu", "a kernel found no room on some rank's GPU"},
    {Reason::no_order_of_sums, "no_order_of_sums", "the MPI library keeps no order of sums for vectors of this length"},
    {Reason::order_not_asked, "order_not_asked",
     "too few calls of this length to ask the MPI library for its order of sums"},
    {Reason::order_not_by_host, "order_not_by_host",
     "the MPI library is not known to add all ranks of a host before hosts"},
    {Reason::not_together, "not_together",
     "its ranks come at different times, for which the MPI library does not wait"},

    {Reason::order_promised, "order_promised", "reduction_order asks for it, whatever is faster"},

    {Reason::values_for_the_library, "values_for_the_library",
     "more than 4 KiB of, or values among, those of which MPI libraries make different things: NaN, -0, the largest"},
    {Reason::in_place, "in_place", "in place"},
    {Reason::many_with_holes, "many_with_holes", "more than 4 MiB of elements with holes"},
}};

constexpr bool are_in_order() {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].reason != reason_of(i)) return false;
  }
  return true;
}
static_assert(are_in_order());

}  // namespace

std::string_view name_of(Reason reason) noexcept { return words[static_cast<std::size_t>(reason)].name; }

std::string_view sentence_of(Reason reason) noexcept { return words[static_cast<std::size_t>(reason)].sentence; }

Reason reason_named(std::string_view name) noexcept {
  for (const Words& known : words) {
    if (known.name == name) return known.reason;
  }
  return Reason::none;
}

std::string_view fallback_of(Reason reason) noexcept {
  switch (reason) {
    case Reason::none:
    case Reason::measuring:
    case Reason::fastest:
    case Reason::order_promised:
      return {};
    case Reason::too_slow:
      return "too_slow";
    case Reason::error_above_bound:
      return "error_above_bound";
    case Reason::not_measurable:
    case Reason::given_up:
    case Reason::not_acquired:
      return "not_acquired";
    case Reason::imposed:
      return "imposed";
    default:
      return "not_eligible";
  }
}

}  // namespace airamp
