// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Communicators, their attributes and error handlers.
#include <algorithm>
#include <cstdio>
#include <tuple>

#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {

Communicator::Communicator(std::vector<int> world_ranks, MPI_Errhandler errors)
    : members(std::move(world_ranks)), sides(members.size()), receives(members.size()), arrived(members.size()) {
  for (Side& side : sides) side.errors = errors;
}

int Communicator::rank_of(int world_rank) const {
  const auto place = std::find(members.begin(), members.end(), world_rank);
  return place != members.end() ? static_cast<int>(place - members.begin()) : MPI_UNDEFINED;
}

std::size_t Communicator::messages_left() const {
  std::size_t messages = 0;
  for (const auto& of_rank : arrived) messages += of_rank.size();
  return messages;
}

int own_rank(const Communicator& comm) { return comm.rank_of(world_rank()); }

Communicator* find_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return world().all.get();
  if (comm == MPI_COMM_SELF) return world().selves[static_cast<std::size_t>(world_rank())].get();
  const auto found = world().communicators.find(number_of(comm));
  if (found == world().communicators.end()) return nullptr;
  Communicator& there = *found->second;
  const int rank = own_rank(there);
  return rank != MPI_UNDEFINED && !there.sides[static_cast<std::size_t>(rank)].freed ? &there : nullptr;
}

int raise(Communicator& comm, int rank, int error) {
  if (comm.sides[static_cast<std::size_t>(rank)].errors == MPI_ERRORS_ARE_FATAL && !world().turns.stopped()) {
    world().outcome.ended = true;
    world().turns.stop("rank " + std::to_string(world_rank()) + " ends the job with error " + std::to_string(error));
  }
  return error;
}

int raise(MPI_Comm comm, int error) {
  Communicator* const there = find_communicator(comm);
  return there != nullptr ? raise(*there, own_rank(*there), error) : error;
}

namespace {

using Side = Communicator::Side;

/// A call about one communicator, and this rank's side of it.
struct OnComm : Call {
  OnComm(const char* function, MPI_Comm handle) : Call(function, handle), comm(find_communicator(handle)) {
    if (comm == nullptr && error == MPI_SUCCESS) error = misuse(std::string(function) + " without a communicator");
    if (error != MPI_SUCCESS) return;
    rank = own_rank(*comm);
    side = &comm->sides[static_cast<std::size_t>(rank)];
  }

  Communicator* comm;
  int rank = 0;
  Side* side = nullptr;
};

// What a communicator is, it says after the end of the run as well: nobody looks at the errors of these two.

int comm_rank(MPI_Comm comm, int* rank) {
  const OnComm call("Comm_rank", comm);
  if (call.comm != nullptr) *rank = own_rank(*call.comm);
  return call.error;
}

int comm_size(MPI_Comm comm, int* size) {
  const OnComm call("Comm_size", comm);
  if (call.comm != nullptr) *size = call.comm->size();
  return call.error;
}

int comm_test_inter(MPI_Comm comm, int* flag) {
  const OnComm call("Comm_test_inter", comm);
  *flag = 0;
  return call.error;
}

int comm_get_name(MPI_Comm comm, char* name, int* length) {
  const OnComm call("Comm_get_name", comm);
  if (call.error != MPI_SUCCESS) return call.error;
  const char* const text = comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "";
  *length = std::snprintf(name, MPI_MAX_OBJECT_NAME, "%s", text);
  return MPI_SUCCESS;
}

int comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  const OnComm call("Comm_set_errhandler", comm);
  if (call.error == MPI_SUCCESS) call.side->errors = handler;
  return call.error;
}

int comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  const OnComm call("Comm_get_errhandler", comm);
  if (call.error == MPI_SUCCESS) *handler = call.side->errors;
  return call.error;
}

int errhandler_free(MPI_Errhandler* handler) {
  *handler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

int comm_call_errhandler(MPI_Comm comm, int error) {
  const OnComm call("Comm_call_errhandler", comm);
  if (call.error != MPI_SUCCESS) return call.error;
  raise(*call.comm, call.rank, error);
  return MPI_SUCCESS;
}

int comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove, int* keyval,
                       void* extra) {
  const Call call("Comm_create_keyval");
  if (call.error != MPI_SUCCESS) return call.error;
  *keyval = static_cast<int>(new_number());
  world().keyvals[*keyval] = {
      .copy = [copy, extra](MPI_Comm comm, int key, void* value, void* copied,
                            int* flag) { return copy(comm, key, extra, value, copied, flag); },
      .remove = [remove, extra](MPI_Comm comm, int key, void* value) { return remove(comm, key, value, extra); },
      .remove_of_type = {}};
  return MPI_SUCCESS;
}

int comm_free_keyval(int* keyval) {
  const Call call("Comm_free_keyval");
  *keyval = MPI_KEYVAL_INVALID;  // what hangs somewhere under it stays
  return call.error;
}

int comm_get_attr(MPI_Comm comm, int keyval, void* value, int* found) {
  const OnComm call("Comm_get_attr", comm);
  if (call.error != MPI_SUCCESS) return call.error;
  if (keyval == MPI_TAG_UB) {
    *found = 1;
    *static_cast<int**>(value) = &world().plan.largest_tag;
    return MPI_SUCCESS;
  }
  const auto entry = call.side->attributes.find(keyval);
  *found = entry != call.side->attributes.end() ? 1 : 0;
  if (*found != 0) *static_cast<void**>(value) = entry->second;
  return MPI_SUCCESS;
}

int comm_set_attr(MPI_Comm comm, int keyval, void* value) {
  const OnComm call("Comm_set_attr", comm);
  if (call.error == MPI_SUCCESS) call.side->attributes[keyval] = value;
  return call.error;
}

int comm_delete_attr(MPI_Comm comm, int keyval) {
  const OnComm call("Comm_delete_attr", comm);
  if (call.error != MPI_SUCCESS) return call.error;
  const auto entry = call.side->attributes.extract(keyval);
  return entry.empty() ? MPI_SUCCESS : world().keyvals.at(keyval).remove(comm, keyval, entry.mapped());
}

/// Makes a communicator for each color, in the order of the keys.
void split(Communicator& comm, Meeting& meeting) {
  std::map<int, std::vector<std::tuple<int, int>>> parts;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const CollectiveArguments& arguments = meeting.arguments[static_cast<std::size_t>(rank)];
    *arguments.made = MPI_COMM_NULL;
    if (arguments.color != MPI_UNDEFINED) parts[arguments.color].emplace_back(arguments.key, rank);
  }
  for (auto& [color, part] : parts) {
    std::sort(part.begin(), part.end());
    std::vector<int> members;
    for (const auto& [key, rank] : part) members.push_back(comm.members[static_cast<std::size_t>(rank)]);
    const std::uintptr_t number = new_number();
    for (const auto& [key, rank] : part)
      *meeting.arguments[static_cast<std::size_t>(rank)].made = handle_of<MPI_Comm>(number);
    auto made = std::make_unique<Communicator>(members, MPI_ERRORS_ARE_FATAL);
    for (std::size_t i = 0; i < part.size(); ++i)
      made->sides[i].errors = comm.sides[static_cast<std::size_t>(std::get<1>(part[i]))].errors;
    world().communicators.emplace(number, std::move(made));
  }
}

int comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  const Call call("Comm_split", comm);
  return meet(call, comm, {.color = color, .key = key, .made = made}, split);
}

int comm_split_type(MPI_Comm comm, int, int key, MPI_Info, MPI_Comm* made) {
  const Call call("Comm_split_type", comm);
  const int of_host = world().plan.ranks_per_host;
  return meet(call, comm, {.color = of_host > 0 ? world_rank() / of_host : 0, .key = key, .made = made}, split);
}

int comm_dup(MPI_Comm comm, MPI_Comm* made) {
  const OnComm call("Comm_dup", comm);
  const int error = meet(call, comm, {.made = made}, split);
  if (error != MPI_SUCCESS) return error;
  Side& copy = find_communicator(*made)->sides[static_cast<std::size_t>(call.rank)];
  for (const auto& [keyval, value] : call.side->attributes) {
    void* copied = nullptr;
    int flag = 0;
    const int failed = world().keyvals.at(keyval).copy(comm, keyval, value, &copied, &flag);
    if (failed != MPI_SUCCESS) return raise(comm, failed);
    if (flag != 0) copy.attributes[keyval] = copied;
  }
  return MPI_SUCCESS;
}

int comm_free(MPI_Comm* comm) {
  const OnComm call("Comm_free", *comm);
  if (call.error != MPI_SUCCESS) return call.error;
  while (!call.side->attributes.empty()) {
    const auto entry = call.side->attributes.extract(call.side->attributes.begin());
    world().keyvals.at(entry.key()).remove(*comm, entry.key(), entry.mapped());
  }
  call.side->freed = true;
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int comm_set_info(MPI_Comm comm, MPI_Info) {
  const Call call("Comm_set_info", comm);
  return call.error;
}

}  // namespace

void add_communicators(pmpi::Native& table) {
  table.Comm_rank = comm_rank;
  table.Comm_size = comm_size;
  table.Comm_test_inter = comm_test_inter;
  table.Comm_get_name = comm_get_name;
  table.Comm_set_errhandler = comm_set_errhandler;
  table.Comm_get_errhandler = comm_get_errhandler;
  table.Errhandler_free = errhandler_free;
  table.Comm_call_errhandler = comm_call_errhandler;
  table.Comm_create_keyval = comm_create_keyval;
  table.Comm_free_keyval = comm_free_keyval;
  table.Comm_get_attr = comm_get_attr;
  table.Comm_set_attr = comm_set_attr;
  table.Comm_delete_attr = comm_delete_attr;
  table.Comm_split = comm_split;
  table.Comm_split_type = comm_split_type;
  table.Comm_dup = comm_dup;
  table.MPI_Comm_free = comm_free;
  table.MPI_Comm_disconnect = comm_free;
  table.MPI_Comm_set_info = comm_set_info;
}

}  // namespace airamp::testing
