// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/communicators.hpp"

#include <numeric>

namespace airamp::gpu_tests {
namespace {

constexpr std::size_t max_alive = 5;

std::vector<int> world_ranks(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::vector<int> in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(communicator, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_translate_ranks(group, size, ranks.data(), world, in_world.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return in_world;
}

}  // namespace

Communicators::Communicators(std::size_t smallest) : smallest_(smallest) { add("world", MPI_COMM_WORLD); }

Communicators::~Communicators() {
  for (std::size_t i = 1; i < alive_.size(); ++i) {
    if (alive_[i].handle != MPI_COMM_NULL) MPI_Comm_free(&alive_[i].handle);
  }
}

void Communicators::add(const char* name, MPI_Comm handle) {
  alive_.push_back({name, handle, handle == MPI_COMM_NULL ? std::vector<int>() : world_ranks(handle)});
}

void Communicators::change(Random& random) {
  if (alive_.size() == max_alive || (alive_.size() > 1 && random.chance(0.4))) {
    const std::size_t victim = 1 + random.below(alive_.size() - 1);
    if (alive_[victim].handle != MPI_COMM_NULL) MPI_Comm_free(&alive_[victim].handle);
    alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(victim));
    return;
  }
  const std::vector<int>& world = alive_.front().members;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm handle = MPI_COMM_NULL;
  switch (random.below(3)) {
    case 0:
      MPI_Comm_dup(MPI_COMM_WORLD, &handle);
      add("duplicate", handle);
      return;
    case 1:
      MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &handle);
      add("reversed", handle);
      return;
    default: {
      // Every rank draws all ranks' colours, so that the generators stay in step.
      int mine = MPI_UNDEFINED;
      for (const int member : world) {
        const auto colour = static_cast<int>(random.below(5));
        if (member == rank && colour < 4) mine = colour / 2;
      }
      MPI_Comm_split(MPI_COMM_WORLD, mine, rank, &handle);
      add("split", handle);
    }
  }
}

const Communicator* Communicators::pick(Random& random) const {
  const Communicator& picked = alive_[random.below(alive_.size())];
  return picked.members.size() >= smallest_ ? &picked : nullptr;
}

}  // namespace airamp::gpu_tests
