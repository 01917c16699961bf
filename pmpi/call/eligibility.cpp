// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/eligibility.hpp"

#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/types/alike_values.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/op_info.hpp"
#include "pmpi/types/predefined_datatypes.hpp"

namespace airamp::pmpi {
namespace {

bool lossy_allowed(ElementType element) {
  switch (element) {
    case ElementType::float16:
      return (job().settings.lossy_types & config::lossy_float16) != 0;
    case ElementType::bfloat16:
      return (job().settings.lossy_types & config::lossy_bfloat16) != 0;
    case ElementType::float32:
      return (job().settings.lossy_types & config::lossy_float32) != 0;
  }
  return false;
}

/// A type of unknown content, or one that nothing can be done with.
LocalFacts refused(std::string_view element, Reason why) { return {.element_name = element, .why = why}; }

/// Why no codec carries elements of a known type; `none` if one does. `data`: what the codecs say of them. Of several
/// reasons the one that would remain if the user opted in.
Reason obstacle(std::optional<ElementType> element, Wish wish, Reason data) {
  if (!wish.compress() && wish.no_compression != Reason::compression_off) return wish.no_compression;
  if (data != Reason::none) return data;
  if (!element || !lossy_allowed(*element)) return Reason::type_not_in_lossy_types;
  return wish.no_compression;
}

/// A reduction or movement of known elements; `data`: why no codec carries it, `none` if one does.
LocalFacts known(DataType type, Wish wish, Reason data) {
  LocalFacts facts{.lossless = wish.lossless, .type = type, .element_name = to_string(type)};
  facts.why = obstacle(element_type(type), wish, data);
  facts.lossy = facts.why == Reason::none;
  return facts;
}

bool is_aligned(const void* buffer, std::size_t element_bytes) {
  return reinterpret_cast<std::uintptr_t>(buffer) % element_bytes == 0;
}

/// Of which reduction_arguments tells one: those of ReduceOp, one for all other predefined ones, and one for the
/// user's.
constexpr std::uint64_t operations = 16;
static_assert(reduce_op_count + 2 <= operations);

/// And the types: one for all that are no number.
constexpr std::uint64_t numbers = 32;
static_assert(data_type_count + 1 <= numbers);

LocalFacts with_op(LocalFacts facts, ReduceOp op) {
  facts.op = op;
  facts.op_name = to_string(op);
  return facts;
}

LocalFacts facts_of_predefined_reduction(const DatatypeInfo& info, MPI_Op op, Wish wish) {
  const std::optional<DataType> number = info.element ? data_type(*info.element) : info.number;
  if (!info.predefined || !number) return refused(info.name, Reason::unknown_type);
  const auto reduction = predefined_op(op);
  // what MPI does not allow is the MPI library's error
  const TypeGroup group = info.number ? info.group : TypeGroup::floating_point;
  if (!reduction || !allows(group, *reduction)) return refused(info.name, Reason::unknown_operation);
  const Reason data = !info.element                  ? Reason::type_not_compressed
                      : *reduction == ReduceOp::prod ? Reason::products_not_compressed
                                                     : Reason::none;
  return with_op(known(*number, wish, data), *reduction);
}

/// So many bytes are looked at in each call at most: a small part of what the call takes.
constexpr std::size_t max_bytes_looked_at = 4096;

}  // namespace

LocalFacts facts_of_reduction(MPI_Datatype datatype, MPI_Op op, Wish wish) {
  const DatatypeInfo info = datatype_info(datatype);
  if (is_predefined_op(op)) return facts_of_predefined_reduction(info, op, wish);
  if (info.size != 2 || !info.contiguous_element) return refused(info.name, Reason::user_operation_on_type);
  if (!wish.compress() && !wish.lossless) return refused(info.name, wish.no_compression);  // never called: law 7
  const auto [is_known, reduction] = user_op(op, datatype);
  if (!is_known) {
    LocalFacts facts = refused(info.name, Reason::user_operation_undecided);
    facts.undecided = true;
    facts.type = DataType::float16;  // as good as the other one: what counts is that it has two bytes
    return facts;
  }
  if (!reduction) return refused(info.name, Reason::user_operation_unknown);
  if (info.element && *info.element != reduction->element) {
    return refused(info.name, Reason::user_operation_of_another_format);
  }
  return with_op(known(data_type(reduction->element), wish, Reason::none), reduction->op);
}

LocalFacts facts_of_movement(MPI_Datatype datatype, MPI_Count count, Wish wish) {
  const DatatypeInfo info = datatype_info(datatype);
  if (info.element && info.contiguous_element) return known(data_type(*info.element), wish, Reason::none);
  const Reason data = Reason::not_floating_point;
  LocalFacts facts = refused(info.name, wish.lossless ? data : obstacle(std::nullopt, wish, data));
  facts.lossless = wish.lossless && info.packed;
  if (!wish.lossless || wish.on_gpu || !is_carried_packed(info)) return facts;
  facts.lossless = fits_packed(count, info.size);
  facts.packed = facts.lossless && count > 0;
  if (!facts.lossless) facts.why = Reason::many_with_holes;
  return facts;
}

void heed_gpus(LocalFacts& facts, const CollectiveCall& call) {
  const bool reduction = reduces(call.kind());
  if (reduction) facts.in_parts();
  if (reduction && facts.lossless && !(is_for_gpus(facts.type) && is_for_gpus(facts.op))) {
    facts.not_as_it_is(is_for_gpus(facts.op) ? Reason::unknown_type : Reason::unknown_operation);
  }
  const bool loads_elements = reduction ? facts.eligible() : facts.lossy;
  if (!loads_elements) return;
  const Buffers buffers = call.buffers();
  const std::size_t bytes = size_of(facts.type);
  if (is_aligned(buffers.input, bytes) && is_aligned(buffers.output, bytes)) return;
  facts.why = Reason::not_aligned;
  if (reduction) {
    facts.aligned = false;
  } else {
    facts.lossy = false;
    facts.type = DataType::byte;
  }
}

void heed_values(LocalFacts& facts, const CollectiveCall& call) {
  if (!reduces(call.kind()) || !facts.lossless || facts.lossy || !depends_on_values(facts.type, facts.op)) return;
  const CollectiveData data = call.data(facts);
  const std::size_t numbers = data.given();
  const bool few = numbers * size_of(facts.type) <= max_bytes_looked_at;  // on all ranks or on none
  if (!few || !are_alike(facts.type, data.input, numbers)) facts.not_as_it_is(Reason::values_for_the_library);
}

bool reduction_depends_on_values(MPI_Datatype datatype, MPI_Op op) {
  if (op == MPI_SUM) return false;
  const std::optional<ReduceOp> known_op = predefined_op(op);
  const DatatypeInfo* const type = known_op ? find_predefined_datatype(datatype) : nullptr;
  return type != nullptr && type->number && depends_on_values(*type->number, *known_op);
}

bool may_use_shared_memory(Kind kind, std::uint64_t bytes) {
  return is_for_shared_memory(kind) && (bytes > 0 || may_be_empty(kind));
}

std::uint64_t reduction_arguments(MPI_Datatype datatype, MPI_Op op) {
  // Handles may differ from rank to rank where types equal each other: Fortran's and C's, a type and its duplicate.
  const auto known_op = predefined_op(op);
  const bool own_op = !known_op && !is_predefined_op(op);
  const DatatypeInfo* predefined = own_op ? nullptr : find_predefined_datatype(datatype);
  const bool is_number = predefined != nullptr && predefined->number.has_value();
  const std::uint64_t number = is_number ? 1 + static_cast<std::uint64_t>(*predefined->number) : 0;
  // Of what is no number, elements of two bytes alone are ever eligible: the others share their gates, however many
  // types there are.
  const std::uint64_t two_bytes = !is_number && payload_bytes(1, datatype) == 2 ? 1 : 0;
  constexpr std::uint64_t other_op = reduce_op_count;
  const std::uint64_t operation = known_op ? static_cast<std::uint64_t>(*known_op) : own_op ? other_op + 1 : other_op;
  return (two_bytes * numbers + number) * operations + operation;
}

bool may_be_carried(std::uint64_t reduction_arguments) {
  return reduction_arguments >= numbers * operations || operation_in(reduction_arguments).has_value();
}

std::optional<ReduceOp> operation_in(std::uint64_t reduction_arguments) {
  const std::uint64_t operation = reduction_arguments % operations;
  if (operation >= reduce_op_count) return std::nullopt;
  return static_cast<ReduceOp>(operation);
}

WireFormat job_wire_format() { return job().settings.codec; }

const codec::Codec& job_codec(ElementType element) { return codec::host_codec(job_wire_format(), element); }

}  // namespace airamp::pmpi
