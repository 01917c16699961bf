// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/soak/call.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace airamp::soak {
namespace {

constexpr const char* names[kinds] = {"Allreduce",      "Reduce",     "Scan",      "Exscan",     "Reduce_scatter_block",
                                      "Reduce_scatter", "Bcast",      "Allgather", "Allgatherv", "Gather",
                                      "Gatherv",        "Scatter",    "Scatterv",  "Alltoall",   "Alltoallv",
                                      "Barrier",        "Iallreduce", "Ibcast"};

bool reduces(Kind kind) { return kind <= Kind::reduce_scatter || kind == Kind::iallreduce; }

/// Where all MPI libraries that it runs with do it right: MPICH 4.0 fails in a reduce in place on other ranks than 0.
bool may_be_in_place(Kind kind, int root) {
  if (kind == Kind::reduce) return root == 0;
  return kind == Kind::allreduce || kind == Kind::scan || kind == Kind::reduce_scatter_block ||
         kind == Kind::allgather || kind == Kind::allgatherv || kind == Kind::alltoall;
}

// Log-uniform, zero included.
int draw_count(Random& random, std::size_t most) {
  return static_cast<int>(std::exp2(random.unit() * std::log2(static_cast<double>(most) + 1.0)) - 1.0 + 0.5);
}

}  // namespace

std::string Call::describe() const {
  std::ostringstream text;
  text << "MPI_" << names[static_cast<std::size_t>(kind)] << " of " << count << " " << element->name << ", operation "
       << static_cast<int>(operation.meaning) << ", root " << root << (in_place ? ", in place" : "") << ", places "
       << static_cast<int>(send_place) << " and " << static_cast<int>(receive_place) << ", seed " << seed;
  return text.str();
}

Call draw_call(Random& random, const Choice& choice) {
  Call call;
  call.kind = static_cast<Kind>(random.below(kinds));
  const std::vector<Element>& elements = choice.elements.all();
  do {
    call.element = &elements[random.below(elements.size())];
  } while (reduces(call.kind) && call.element->operations.empty());
  if (reduces(call.kind)) call.operation = call.element->operations[random.below(call.element->operations.size())];
  call.count = draw_count(random, choice.most_bytes / call.element->bytes);
  call.root = static_cast<int>(random.below(static_cast<std::uint64_t>(choice.ranks)));
  call.in_place = random.chance(0.3) && may_be_in_place(call.kind, call.root);
  call.seed = random.bits();
  if (choice.device && random.chance(0.8)) call.send_place = call.receive_place = Place::device;
  return call;
}

std::vector<int> block_lengths(const Call& call, int ranks, int from) {
  const std::uint64_t salt = call.kind == Kind::alltoallv ? static_cast<std::uint64_t>(from) + 1 : 0;
  const bool vary = call.kind == Kind::allgatherv || call.kind == Kind::gatherv || call.kind == Kind::scatterv ||
                    call.kind == Kind::alltoallv || call.kind == Kind::reduce_scatter;
  std::vector<int> lengths(static_cast<std::size_t>(ranks), call.count);
  for (std::size_t rank = 0; vary && rank < lengths.size(); ++rank) {
    Random random(call.seed + 1000 * salt + rank);
    lengths[rank] = static_cast<int>(random.below(static_cast<std::uint64_t>(call.count) + 1));
  }
  return lengths;
}

std::vector<int> block_offsets(const std::vector<int>& lengths) {
  std::vector<int> offsets;
  int end = 0;
  for (const int length : lengths) {
    offsets.push_back(end);
    end += length + 1;
  }
  return offsets;
}

}  // namespace airamp::soak
