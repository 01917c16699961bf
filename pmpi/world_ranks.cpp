// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/world_ranks.hpp"

#include <cstddef>
#include <numeric>

#include "pmpi/native.hpp"

namespace airamp::pmpi {

Group::~Group() {
  if (handle != MPI_GROUP_NULL) native().Group_free(&handle);
}

std::vector<int> world_ranks(MPI_Group group) {
  Group world;
  int size = 0;
  if (native().Comm_group(MPI_COMM_WORLD, &world.handle) != MPI_SUCCESS) return {};
  if (native().Group_size(group, &size) != MPI_SUCCESS) return {};
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::vector<int> in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  const int error = native().Group_translate_ranks(group, size, ranks.data(), world.handle, in_world.data());
  return error == MPI_SUCCESS ? in_world : std::vector<int>();
}

}  // namespace airamp::pmpi
