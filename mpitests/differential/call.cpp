// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/call.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace airamp::differential {
namespace {

constexpr std::size_t max_elements = std::size_t{4} << 20U;

const char* name_of(Kind kind) {
  constexpr const char* names[] = {"Allreduce", "Allgather", "Allgatherv", "Iallreduce",
                                   "Bcast",     "Reduce",    "Scan",       "Reduce_scatter_block",
                                   "Alltoall",  "Gather",    "Scatter"};
  return names[static_cast<std::size_t>(kind)];
}

Kind draw_kind(Random& random, bool inter) {
  const double dice = random.unit();
  if (dice < 0.5) return Kind::allreduce;
  if (dice < 0.7) return Kind::allgather;
  if (dice < 0.9 || inter) return Kind::allgatherv;
  return static_cast<Kind>(3 + random.below(8));
}

// Log-uniform, zero included. Few of the calls may be large, so that ten thousand do not take all day; many lie where
// compression sets in.
std::size_t draw_count(Random& random, std::size_t most) {
  if (random.chance(0.3)) return std::min(most, static_cast<std::size_t>(std::exp2(11.0 + 5.0 * random.unit())));
  const double dice = random.unit();
  const std::size_t limit = dice < 0.92 ? std::size_t{1} << 16U : dice < 0.99 ? std::size_t{1} << 19U : max_elements;
  const double top = std::log(static_cast<double>(std::min(limit, most)) + 1.0);
  return std::min(most, static_cast<std::size_t>(std::exp(random.unit() * top) - 1.0 + 0.5));
}

void draw_blocks(Call& call, Random& random, std::size_t world) {
  call.counts.resize(world);
  call.gaps.resize(world);
  const bool equal = random.chance(0.3);
  for (std::size_t rank = 0; rank < world; ++rank) {
    call.counts[rank] = equal ? call.count : random.below(call.count + 1);
    call.gaps[rank] = random.chance(0.3) ? random.below(40) : 0;
  }
}

const Operation& draw_operation(Random& random, const std::vector<Operation>& operations, const Element& element) {
  std::vector<const Operation*> fitting;
  for (const Operation& operation : operations)
    if (applies(operation, element)) fitting.push_back(&operation);
  return *fitting[random.below(fitting.size())];
}

// Halves may lie anywhere; a compiler may rely on the alignment of the wider types.
std::size_t draw_offset(Random& random, const Element& element) {
  if (random.chance(0.5)) return 0;
  const std::size_t step = is_half(element.format) ? 1 : std::min<std::size_t>(element.bytes, 8);
  return random.below(64 / step) * step;
}

Spread draw_spread(Random& random) {
  const double dice = random.unit();
  if (dice < 0.5) return Spread::uniform;
  if (dice < 0.75) return Spread::wide;
  if (dice < 0.87) return Spread::sparse;
  return dice < 0.94 ? Spread::tiny : Spread::overflow;
}

}  // namespace

bool reduces(Kind kind) {
  return kind == Kind::allreduce || kind == Kind::iallreduce || kind == Kind::reduce || kind == Kind::scan ||
         kind == Kind::reduce_scatter_block;
}

Call draw_call(Random& random, const Communicators& communicators, const std::vector<Element>& elements,
               const std::vector<Operation>& operations, int world_size) {
  const auto world = static_cast<std::size_t>(world_size);
  Call call;
  call.communicator = &communicators.pick(random);
  // On ranks outside of a communicator its kind is unknown: the generator must move on by the same steps everywhere.
  const bool inter = call.communicator->name == "inter-communicator";
  call.kind = draw_kind(random, inter);
  // The compressible ones more often than others.
  call.element = &elements[random.below(elements.size())];
  if (!is_half(call.element->format) && random.chance(0.5)) call.element = &elements[random.below(elements.size())];
  if (!is_half(call.element->format) && random.chance(0.3)) call.element = &elements[random.below(elements.size())];
  call.operation = reduces(call.kind) ? &draw_operation(random, operations, *call.element) : nullptr;
  const bool vector_of_ranks = call.kind != Kind::allreduce && call.kind != Kind::iallreduce;
  call.count = draw_count(random, vector_of_ranks ? max_elements / world : max_elements);
  if (call.kind == Kind::allgatherv) draw_blocks(call, random, world);
  const bool may_be_large =
      call.kind == Kind::allreduce || call.kind == Kind::allgather || call.kind == Kind::allgatherv;
  call.large_count = random.chance(0.3) && may_be_large;
  const bool may_be_in_place = may_be_large || call.kind == Kind::iallreduce || call.kind == Kind::scan;
  call.in_place = random.chance(0.3) && may_be_in_place && !inter;
  call.native_last = random.chance(0.5);
  const std::uint64_t root = random.bits();
  call.root = call.communicator->members.empty() ? 0 : static_cast<int>(root % call.communicator->members.size());
  call.send_offset = draw_offset(random, *call.element);
  call.receive_offset = draw_offset(random, *call.element);
  call.spread = draw_spread(random);
  call.exponent = static_cast<int>(random.below(13)) - 6;
  call.poison = random.chance(0.3) ? std::exp2(-4.0 - 10.0 * random.unit()) : 0.0;
  call.data_seed = random.bits();
#ifndef AIRAMP_MPI_HAS_LARGE_COUNT
  call.large_count = false;
#endif
  return call;
}

std::size_t contribution(const Call& call, int world_rank) {
  return call.kind == Kind::allgatherv ? call.counts[static_cast<std::size_t>(world_rank)] : call.count;
}

std::vector<std::size_t> displacements(const Call& call) {
  std::vector<std::size_t> result;
  std::size_t end = 0;
  for (const int source : sources(call)) {
    if (call.kind == Kind::allgatherv) end += call.gaps[static_cast<std::size_t>(source)];
    result.push_back(end);
    end += contribution(call, source);
  }
  return result;
}

const std::vector<int>& sources(const Call& call) {
  return call.communicator->inter ? call.communicator->remote_members : call.communicator->members;
}

std::string Call::describe() const {
  std::ostringstream text;
  text << "MPI_" << name_of(kind) << (large_count ? "_c" : "") << " on " << communicator->name << " of "
       << communicator->members.size() << ", " << element->name << " x " << count;
  if (operation != nullptr) text << ", " << operation->name;
  if (in_place) text << ", in place";
  if (poison > 0) text << ", poisoned";
  text << ", spread " << static_cast<int>(spread) << ", offsets " << send_offset << " and " << receive_offset;
  return text.str();
}

}  // namespace airamp::differential
