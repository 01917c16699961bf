// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {
namespace {

int comm_group(MPI_Comm comm, MPI_Group* group) {
  const Call call("Comm_group", comm);
  if (call.error != MPI_SUCCESS) return call.error;
  const std::uintptr_t number = new_number();
  world().groups.emplace(number, find_communicator(comm)->members);
  *group = handle_of<MPI_Group>(number);
  return MPI_SUCCESS;
}

int group_size(MPI_Group group, int* size) {
  const Call call("Group_size");
  if (call.error == MPI_SUCCESS) *size = static_cast<int>(world().groups.at(number_of(group)).size());
  return call.error;
}

int group_translate_ranks(MPI_Group from, int count, const int* ranks, MPI_Group to, int* translated) {
  const Call call("Group_translate_ranks");
  if (call.error != MPI_SUCCESS) return call.error;
  const std::vector<int>& members = world().groups.at(number_of(from));
  const std::vector<int>& others = world().groups.at(number_of(to));
  for (int i = 0; i < count; ++i) {
    const auto place = std::find(others.begin(), others.end(), members.at(static_cast<std::size_t>(ranks[i])));
    translated[i] = place != others.end() ? static_cast<int>(place - others.begin()) : MPI_UNDEFINED;
  }
  return MPI_SUCCESS;
}

int group_free(MPI_Group* group) {
  world().groups.erase(number_of(*group));
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

}  // namespace

void add_groups(pmpi::Native& table) {
  table.Comm_group = comm_group;
  table.Group_size = group_size;
  table.Group_translate_ranks = group_translate_ranks;
  table.Group_free = group_free;
}

}  // namespace airamp::testing
