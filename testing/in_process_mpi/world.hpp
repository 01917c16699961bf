// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What the ranks of one run have in common. Nothing here is locked: one rank runs at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "pmpi/mpi/native.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"
#include "testing/in_process_mpi/turns.hpp"

namespace airamp::testing {

/// Handles of objects of this folder are small numbers, which no MPI library uses for its own.
template <class Handle>
Handle handle_of(std::uintptr_t number) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<Handle>(number);
  } else {
    return static_cast<Handle>(number);
  }
}
template <class Handle>
std::uintptr_t number_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uint32_t>(handle);
  }
}

/// A number that was never a handle, in no run.
std::uintptr_t new_number();

/// The arguments of one rank in a collective.
struct CollectiveArguments {
  const void* sent = nullptr;  ///< never MPI_IN_PLACE: `received` then
  void* received = nullptr;
  std::size_t elements = 0;  ///< of `type`
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  std::vector<std::size_t> offsets;  ///< where which rank's bytes go in `received`
  std::vector<std::size_t> lengths;
  int color = 0;
  int key = 0;
  MPI_Comm* made = nullptr;
};

/// One collective on a communicator, from the first rank's coming on.
struct Meeting {
  std::string function;
  std::vector<CollectiveArguments> arguments;  ///< by rank
  std::size_t arrived = 0;
  bool complete = false;
};

struct Message;
struct Request;

struct Communicator {
  std::vector<int> members;  ///< as ranks of the world
  struct Side {
    std::map<int, void*> attributes;
    MPI_Errhandler errors{};
    std::string name;
    std::size_t collectives = 0;
    bool freed = false;
  };
  std::vector<Side> sides;  ///< by rank
  std::map<std::size_t, std::shared_ptr<Meeting>> meetings;
  std::vector<std::list<Request*>> receives;            ///< by receiver: posted, in order
  std::vector<std::list<Message>> arrived;              ///< by receiver: without a receive yet
  std::map<std::pair<int, int>, std::uint64_t> latest;  ///< by sender and receiver: when the last message arrives

  explicit Communicator(std::vector<int> world_ranks, MPI_Errhandler errors);
  int size() const { return static_cast<int>(members.size()); }
  std::size_t messages_left() const;  ///< without a receive
  int rank_of(int world_rank) const;  ///< MPI_UNDEFINED if it is no member
};

struct Request {
  enum class Kind { send, receive, collective, generalized };
  Kind kind;
  bool persistent = false;
  bool active = false;
  bool complete = false;
  int error = MPI_SUCCESS;
  Communicator* comm = nullptr;
  int owner = 0;  ///< rank in `comm`
  int peer = 0;
  int tag = 0;
  std::byte* buffer = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<Meeting> meeting;
  std::function<int()> start;  ///< of persistent collectives
};

/// A message under way: the bytes, or where they still are.
struct Message {
  int sender;
  int tag;
  std::vector<std::byte> bytes;
  Request* waiting = nullptr;  ///< the send, which is complete once the message was received
};

struct Keyval {
  std::function<int(MPI_Comm, int, void*, void*, int*)> copy;
  std::function<int(MPI_Comm, int, void*)> remove;
  std::function<int(MPI_Datatype, int, void*)> remove_of_type;
};

enum class Number {
  none,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  complex64,
  complex128
};

struct Type {
  std::size_t size = 0;
  MPI_Aint extent = 0;
  Number number = Number::none;
  int combiner = MPI_COMBINER_NAMED;
  int count = 1;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  std::string name;
  std::map<int, void*> attributes;
};

struct Operation {
  MPI_User_function* function = nullptr;
};

struct World {
  explicit World(const Plan& wanted);

  Plan plan;
  Turns turns;
  Outcome outcome;
  std::vector<std::map<void*, void*>> process_wide;  ///< by rank, place and object: of those whose turn it is not
  std::map<std::uintptr_t, std::unique_ptr<Communicator>> communicators;  ///< without MPI_COMM_WORLD and _SELF
  std::unique_ptr<Communicator> all;
  std::vector<std::unique_ptr<Communicator>> selves;
  std::map<std::uintptr_t, std::unique_ptr<Request>> requests;
  std::map<std::uintptr_t, std::vector<int>> groups;
  std::map<int, Keyval> keyvals;
  std::map<std::uintptr_t, Type> types;  ///< predefined ones too
  std::map<std::uintptr_t, Operation> operations;
  std::map<std::uintptr_t, std::map<std::string, std::string>> infos;
  Costs costs;
  double seconds = 0;       ///< what `costs` added to the clock
  std::vector<int> stages;  ///< by rank: 1 after MPI_Init, 2 after MPI_Finalize
};

/// The run and the rank of the calling thread.
World& world();
int world_rank();
void enter_world(World& entered, int rank);

/// Whether this rank's looks at the clock are steps, from now on. Not where it holds a lock that ranks share.
void end_turns_at_clock(bool end);

/// What this rank does in its first call behind the end, so that those go on who wait for it without a call; nullptr
/// for nothing.
void at_first_call_after_end(void (*action)());

/// A rank broke a rule of MPI: the run ends.
int misuse(const std::string& what);

/// One call of MPI, from its entry on: another rank may have run before it goes on.
struct Call {
  /// `comm`: whose handler hears of errors.
  explicit Call(const char* function, MPI_Comm comm = MPI_COMM_WORLD);

  /// What the call is to return at once; MPI_SUCCESS if it is to go on.
  int error = MPI_SUCCESS;
  const char* name;
};

/// Brings an error to the handler of a communicator, and returns it.
int raise(MPI_Comm comm, int error);
int raise(Communicator& comm, int rank, int error);

/// nullptr if there is no such object.
Communicator* find_communicator(MPI_Comm comm);
Request* find_request(MPI_Request request);
Type* find_type(MPI_Datatype type);

/// The rank that calls, in a communicator that it is a member of.
int own_rank(const Communicator& comm);

/// Joins the next collective on a communicator; who comes last runs `finish` for all.
std::shared_ptr<Meeting> join(const Call& call, Communicator& comm, CollectiveArguments arguments,
                              void (*finish)(Communicator&, Meeting&));
/// The same, and waits for the end.
int meet(const Call& call, MPI_Comm comm, CollectiveArguments arguments, void (*finish)(Communicator&, Meeting&));

/// Bytes of one element; 0 of no type.
std::size_t size_of(MPI_Datatype type);

/// What a rank contributes, in place or not.
const void* sent(const void* sendbuf, const void* recvbuf);

/// Whether this is the rank `root` of a communicator.
bool is_root(int root, MPI_Comm comm);

/// inout = in op inout, as MPI_Reduce_local.
int reduce(const void* in, void* inout, std::size_t elements, MPI_Datatype type, MPI_Op op);

std::map<std::uintptr_t, Type> predefined_types();

// The functions, by what they are about.
void add_environment(pmpi::Native& table);
void add_communicators(pmpi::Native& table);
void add_groups(pmpi::Native& table);
void add_collectives(pmpi::Native& table);
void add_blocks(pmpi::Native& table);
void add_messages(pmpi::Native& table);
void add_datatypes(pmpi::Native& table);

}  // namespace airamp::testing
