// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/world_ranks.hpp"

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

Group::~Group() {
  if (handle != MPI_GROUP_NULL) native().Group_free(&handle);
}

int size_of(MPI_Group group) {
  int size = 0;
  return native().Group_size(group, &size) == MPI_SUCCESS ? size : 0;
}

std::vector<int> world_ranks(MPI_Group group, const std::vector<int>& members) {
  Group world;
  if (native().Comm_group(MPI_COMM_WORLD, &world.handle) != MPI_SUCCESS) return {};
  std::vector<int> in_world(members.size());
  const int error = native().Group_translate_ranks(group, static_cast<int>(members.size()), members.data(),
                                                   world.handle, in_world.data());
  return error == MPI_SUCCESS ? in_world : std::vector<int>();
}

}  // namespace airamp::pmpi
