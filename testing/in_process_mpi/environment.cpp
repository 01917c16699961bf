// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Start and end, threads, versions, info objects.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {
namespace {

int& stage() { return world().stages[static_cast<std::size_t>(world_rank())]; }

int init(int*, char***) {
  const Call call("Init");
  if (call.error != MPI_SUCCESS) return call.error;
  if (stage() != 0) return misuse("MPI_Init comes twice");
  stage() = 1;
  return MPI_SUCCESS;
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
  *provided = std::min<int>(required, world().plan.threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED);
  return init(argc, argv);
}

/// Begins with the attributes of MPI_COMM_SELF.
int finalize() {
  const Call call("Finalize");
  if (call.error != MPI_SUCCESS) return call.error;
  if (stage() == 2) return misuse("MPI_Finalize comes twice");
  auto& attributes = world().selves[static_cast<std::size_t>(world_rank())]->sides.front().attributes;
  while (!attributes.empty()) {
    const auto [keyval, value] = *attributes.rbegin();  // the latest first
    attributes.erase(keyval);
    world().keyvals.at(keyval).remove(MPI_COMM_SELF, keyval, value);
  }
  stage() = 2;
  return meet(call, MPI_COMM_WORLD, {}, [](Communicator&, Meeting&) {});
}

int query_thread(int* provided) {
  const Call call("Query_thread");
  *provided = world().plan.threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  return call.error;
}

int get_library_version(char* version, int* length) {
  const Call call("Get_library_version");
#ifdef OPEN_MPI
  constexpr const char* text = "Open MPI, in process";
#else
  constexpr const char* text = "MPICH, in process";
#endif
  std::strcpy(version, text);
  *length = static_cast<int>(std::strlen(text));
  return call.error;
}

int pcontrol(const int, ...) { return MPI_SUCCESS; }

int error_class(int error, int* its_class) {
  *its_class = error;
  return MPI_SUCCESS;
}

int info_get(MPI_Info info, const char* key, int length, char* value, int* found) {
  const Call call("Info_get");
  if (call.error != MPI_SUCCESS) return call.error;
  const auto& values = world().infos.at(number_of(info));
  const auto entry = values.find(key);
  *found = entry != values.end() ? 1 : 0;
  if (*found != 0) std::snprintf(value, static_cast<std::size_t>(length) + 1, "%s", entry->second.c_str());
  return MPI_SUCCESS;
}

}  // namespace

MPI_Info make_info(const std::map<std::string, std::string>& values) {
  const std::uintptr_t number = new_number();
  world().infos.emplace(number, values);
  return handle_of<MPI_Info>(number);
}

void add_environment(pmpi::Native& table) {
  table.MPI_Init = init;
  table.MPI_Init_thread = init_thread;
  table.MPI_Finalize = finalize;
  table.Query_thread = query_thread;
  table.Get_library_version = get_library_version;
  table.Info_get = info_get;
  table.Pcontrol = pcontrol;
  table.Error_class = error_class;
}

}  // namespace airamp::testing
