// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Who comes last moves the data of all. Until then the others wait, in a blocking call or for a request.
#include <algorithm>
#include <cstring>

#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {

std::size_t size_of(MPI_Datatype type) {
  const Type* const there = find_type(type);
  return there != nullptr ? there->size : 0;
}

std::shared_ptr<Meeting> join(const Call& call, Communicator& comm, CollectiveArguments arguments,
                              void (*finish)(Communicator&, Meeting&)) {
  const auto rank = static_cast<std::size_t>(own_rank(comm));
  const std::size_t number = comm.sides[rank].collectives++;
  std::shared_ptr<Meeting>& place = comm.meetings[number];
  if (place == nullptr) {
    place = std::make_shared<Meeting>();
    place->function = call.name;
    place->arguments.resize(comm.members.size());
  }
  const std::shared_ptr<Meeting> meeting = place;
  if (meeting->function != call.name) misuse(std::string(call.name) + " meets " + meeting->function);
  meeting->arguments[rank] = std::move(arguments);
  if (++meeting->arrived < comm.members.size()) return meeting;
  comm.meetings.erase(number);
  if (!world().turns.stopped()) finish(comm, *meeting);
  meeting->complete = !world().turns.stopped();
  constexpr std::size_t large = 1024;
  const auto is_large = [](const CollectiveArguments& own) {
    return own.type != MPI_DATATYPE_NULL && own.elements * size_of(own.type) >= large;
  };
  if (std::ranges::any_of(meeting->arguments, is_large)) world().seconds += world().costs.collective_seconds;
  world().turns.note_progress();
  return meeting;
}

int meet(const Call& call, MPI_Comm handle, CollectiveArguments arguments, void (*finish)(Communicator&, Meeting&)) {
  if (call.error != MPI_SUCCESS) return call.error;
  Communicator* const comm = find_communicator(handle);
  if (comm == nullptr) return misuse(std::string(call.name) + " without a communicator");
  world().turns.before_step();
  const auto meeting = join(call, *comm, std::move(arguments), finish);
  const bool done = meeting->complete || world().turns.wait_until([&] { return meeting->complete; }, call.name);
  return done ? MPI_SUCCESS : MPI_ERR_OTHER;
}

const void* sent(const void* sendbuf, const void* recvbuf) { return sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf; }

bool is_root(int root, MPI_Comm comm) {
  Communicator* const there = find_communicator(comm);
  return there != nullptr && own_rank(*there) == root;
}

namespace {

/// Whether a rank's arguments of a reduction go with those of the first.
bool fit(const CollectiveArguments& own, const CollectiveArguments& first) {
  if (own.elements * size_of(own.type) != first.elements * size_of(first.type)) return false;
  // handles of operations of the application's differ from rank to rank
  const auto is_own = [](MPI_Op op) { return world().operations.contains(number_of(op)); };
  return own.op == first.op || (is_own(own.op) && is_own(first.op));
}

/// To every rank, or to one; with `scatter` the parts of a result of which each rank gets its own.
void finish_reduction(Communicator& comm, Meeting& meeting, bool scatter) {
  const CollectiveArguments& first = meeting.arguments.front();
  if (!std::ranges::all_of(meeting.arguments, [&](const auto& own) { return fit(own, first); })) {
    misuse(meeting.function + " with different arguments");
    return;
  }
  const std::size_t bytes = first.elements * size_of(first.type);
  const auto* const last = static_cast<const std::byte*>(meeting.arguments.back().sent);
  std::vector<std::byte> result(last, last + bytes);
  for (std::size_t rank = meeting.arguments.size() - 1; rank-- > 0;) {
    const CollectiveArguments& own = meeting.arguments[rank];
    if (reduce(own.sent, result.data(), own.elements, own.type, own.op) != MPI_SUCCESS) {
      misuse(meeting.function + ": an unknown operation on a type");
      return;
    }
  }
  const std::size_t part = scatter ? bytes / comm.members.size() : bytes;
  for (std::size_t rank = 0; rank < meeting.arguments.size(); ++rank) {
    auto* const received = static_cast<std::byte*>(meeting.arguments[rank].received);
    if (received != nullptr) std::copy_n(result.data() + (scatter ? rank * part : 0), part, received);
  }
}

void finish_allreduce(Communicator& comm, Meeting& meeting) { finish_reduction(comm, meeting, false); }
void finish_reduce_scatter(Communicator& comm, Meeting& meeting) { finish_reduction(comm, meeting, true); }

/// Each rank gets what those below it give, and its own if it is inclusive. The last come first: what a rank overwrites
/// in place is wanted by those above it.
void finish_prefix(Meeting& meeting, bool inclusive) {
  for (std::size_t receiver = meeting.arguments.size(); receiver-- > 0;) {
    const CollectiveArguments& to = meeting.arguments[receiver];
    std::size_t rank = receiver + (inclusive ? 1 : 0);
    if (rank-- == 0) continue;
    const auto* const last = static_cast<const std::byte*>(meeting.arguments[rank].sent);
    std::vector<std::byte> result(last, last + to.elements * size_of(to.type));
    while (rank-- > 0) {
      const CollectiveArguments& own = meeting.arguments[rank];
      if (!fit(own, to) || reduce(own.sent, result.data(), own.elements, own.type, own.op) != MPI_SUCCESS) {
        misuse(meeting.function + " with different arguments, or by an unknown operation");
        return;
      }
    }
    if (!result.empty()) std::memcpy(to.received, result.data(), result.size());
  }
}

void finish_scan(Communicator&, Meeting& meeting) { finish_prefix(meeting, true); }
void finish_exscan(Communicator&, Meeting& meeting) { finish_prefix(meeting, false); }
void finish_barrier(Communicator&, Meeting&) {}

void finish_broadcast(Communicator&, Meeting& meeting) {
  const CollectiveArguments& root = meeting.arguments[static_cast<std::size_t>(meeting.arguments.front().root)];
  for (const CollectiveArguments& own : meeting.arguments) {
    const std::size_t bytes = root.elements * size_of(root.type);
    if (own.elements * size_of(own.type) < bytes || own.root != meeting.arguments.front().root) {
      misuse(meeting.function + " with different arguments");
      return;
    }
    if (&own != &root && bytes > 0) std::memcpy(own.received, root.received, bytes);
  }
}

CollectiveArguments of_reduction(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op) {
  return {.sent = sent(sendbuf, recvbuf),
          .received = recvbuf,
          .elements = static_cast<std::size_t>(count),
          .type = type,
          .op = op};
}

int allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return meet(Call("Allreduce", comm), comm, of_reduction(sendbuf, recvbuf, count, type, op), finish_allreduce);
}

int scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return meet(Call("Scan", comm), comm, of_reduction(sendbuf, recvbuf, count, type, op), finish_scan);
}

int exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return meet(Call("Exscan", comm), comm, of_reduction(sendbuf, recvbuf, count, type, op), finish_exscan);
}

int reduce_to_root(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm) {
  const Call call("Reduce", comm);
  return meet(call, comm,
              {.sent = sent(sendbuf, recvbuf),
               .received = is_root(root, comm) ? recvbuf : nullptr,
               .elements = static_cast<std::size_t>(count),
               .type = type,
               .op = op},
              finish_allreduce);
}

int reduce_scatter_block(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("Reduce_scatter_block", comm);
  Communicator* const there = find_communicator(comm);
  const std::size_t ranks = there != nullptr ? there->members.size() : 0;
  return meet(call, comm,
              {.sent = sent(sendbuf, recvbuf),
               .received = recvbuf,
               .elements = static_cast<std::size_t>(count) * ranks,
               .type = type,
               .op = op},
              finish_reduce_scatter);
}

int broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Call call("Bcast", comm);
  return meet(call, comm, {.received = buffer, .elements = static_cast<std::size_t>(count), .type = type, .root = root},
              finish_broadcast);
}

int barrier(MPI_Comm comm) {
  const Call call("Barrier", comm);
  return meet(call, comm, {}, finish_barrier);
}

/// The request of a collective that `start` joins.
MPI_Request add_request(Communicator& comm, const CollectiveArguments& arguments, const char* name,
                        void (*finish)(Communicator&, Meeting&)) {
  const std::uintptr_t number = new_number();
  auto request = std::make_unique<Request>(Request{.kind = Request::Kind::collective, .comm = &comm});
  request->start = [own = request.get(), &comm, arguments, name, finish] {
    const Call call(name);
    if (call.error != MPI_SUCCESS) return call.error;
    own->meeting = join(call, comm, arguments, finish);
    return MPI_SUCCESS;
  };
  world().requests.emplace(number, std::move(request));
  return handle_of<MPI_Request>(number);
}

/// A collective that begins at once, for which nobody waits.
int begin(MPI_Comm comm, const CollectiveArguments& arguments, const char* name,
          void (*finish)(Communicator&, Meeting&), MPI_Request* request) {
  *request = add_request(*find_communicator(comm), arguments, name, finish);
  Request& made = *find_request(*request);
  made.active = true;
  world().turns.before_step(all_memory);
  const int error = made.start();
  if (error == MPI_SUCCESS) return error;
  world().requests.erase(number_of(*request));
  *request = MPI_REQUEST_NULL;
  return error;
}

int iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
               MPI_Request* request) {
  return begin(comm,
               {.sent = sent(sendbuf, recvbuf),
                .received = recvbuf,
                .elements = static_cast<std::size_t>(count),
                .type = type,
                .op = op},
               "Iallreduce", finish_allreduce, request);
}

int ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, {.received = buffer, .elements = static_cast<std::size_t>(count), .type = type, .root = root},
               "Ibcast", finish_broadcast, request);
}

int allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info,
                   MPI_Request* request) {
  const Call call("Allreduce_init", comm);
  if (call.error != MPI_SUCCESS) return call.error;
  const CollectiveArguments arguments{.sent = sent(sendbuf, recvbuf),
                                      .received = recvbuf,
                                      .elements = static_cast<std::size_t>(count),
                                      .type = type,
                                      .op = op};
  *request = add_request(*find_communicator(comm), arguments, "Start of Allreduce_init", finish_allreduce);
  find_request(*request)->persistent = true;
  return MPI_SUCCESS;
}

}  // namespace

void add_collectives(pmpi::Native& table) {
  table.MPI_Allreduce = allreduce;
  table.MPI_Scan = scan;
  table.MPI_Exscan = exscan;
  table.MPI_Reduce = reduce_to_root;
  table.MPI_Reduce_scatter_block = reduce_scatter_block;
  table.MPI_Bcast = broadcast;
  table.MPI_Barrier = barrier;
  table.MPI_Iallreduce = iallreduce;
  table.MPI_Ibcast = ibcast;
  table.MPI_Allreduce_init = allreduce_init;
}

}  // namespace airamp::testing
