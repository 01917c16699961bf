// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/communicators.hpp"

#include <cstddef>
#include <numeric>
#include <utility>

namespace airamp::differential {
namespace {

constexpr std::size_t max_alive = 7;

std::vector<int> world_ranks(MPI_Group group) {
  int size = 0;
  MPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::vector<int> in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_translate_ranks(group, size, ranks.data(), world, in_world.data());
  MPI_Group_free(&world);
  MPI_Group_free(&group);
  return in_world;
}

Communicator describe(std::string name, MPI_Comm handle) {
  Communicator result{std::move(name), handle, false, {}, {}};
  if (handle == MPI_COMM_NULL) return result;
  int inter = 0;
  MPI_Comm_test_inter(handle, &inter);
  result.inter = inter != 0;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(handle, &group);
  result.members = world_ranks(group);
  if (result.inter) {
    MPI_Comm_remote_group(handle, &group);
    result.remote_members = world_ranks(group);
  }
  return result;
}

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

Communicator duplicate() {
  MPI_Comm handle = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &handle);
  return describe("duplicate", handle);
}

Communicator reversed() {
  MPI_Comm handle = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &handle);
  return describe("reversed", handle);
}

// Every rank draws all ranks' colours, so that the shared generator stays in step.
Communicator split(Random& random) {
  int mine = MPI_UNDEFINED;
  for (int rank = 0; rank < world_size(); ++rank) {
    const auto colour = static_cast<int>(random.below(4));
    if (rank == world_rank()) mine = colour == 3 ? MPI_UNDEFINED : colour / 2;
  }
  MPI_Comm handle = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, mine, world_rank(), &handle);
  return describe("split", handle);
}

Communicator intercommunicator(Random& random) {
  const int lower = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(world_size() - 1)));
  const bool in_lower = world_rank() < lower;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm handle = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, in_lower ? 0 : 1, world_rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, in_lower ? lower : 0, 77, &handle);
  MPI_Comm_free(&half);
  return describe("inter-communicator", handle);
}

}  // namespace

Communicators::Communicators() { alive_.push_back(describe("MPI_COMM_WORLD", MPI_COMM_WORLD)); }

Communicators::~Communicators() {
  for (std::size_t i = 1; i < alive_.size(); ++i)
    if (alive_[i].handle != MPI_COMM_NULL) MPI_Comm_free(&alive_[i].handle);
}

void Communicators::change(Random& random) {
  if (alive_.size() == max_alive || (alive_.size() > 1 && random.chance(0.4))) {
    const std::size_t victim = 1 + random.below(alive_.size() - 1);
    if (alive_[victim].handle != MPI_COMM_NULL) MPI_Comm_free(&alive_[victim].handle);
    alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(victim));
    return;
  }
  switch (random.below(world_size() > 1 ? 4 : 3)) {
    case 0:
      return alive_.push_back(duplicate());
    case 1:
      return alive_.push_back(reversed());
    case 2:
      return alive_.push_back(split(random));
    default:
      return alive_.push_back(intercommunicator(random));
  }
}

const Communicator& Communicators::pick(Random& random) const { return alive_[random.below(alive_.size())]; }

}  // namespace airamp::differential
