// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Who comes last moves the data of all. Until then the others wait, in a blocking call or for a request.
#include <algorithm>
#include <cstring>

#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {
namespace {

std::size_t size_of(MPI_Datatype type) {
  const Type* const there = find_type(type);
  return there != nullptr ? there->size : 0;
}

}  // namespace

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
  const CollectiveArguments& first = meeting->arguments.front();
  if (first.type != MPI_DATATYPE_NULL && first.elements * size_of(first.type) >= large)
    world().seconds += world().costs.collective_seconds;
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

namespace {

const void* sent(const void* sendbuf, const void* recvbuf) { return sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf; }

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

/// Everybody's bytes go to where the receivers want them; all of them, or the root alone.
void finish_gather(Communicator&, Meeting& meeting) {
  for (std::size_t receiver = 0; receiver < meeting.arguments.size(); ++receiver) {
    const CollectiveArguments& to = meeting.arguments[receiver];
    if (to.offsets.empty()) continue;
    for (std::size_t sender = 0; sender < meeting.arguments.size(); ++sender) {
      const CollectiveArguments& from = meeting.arguments[sender];
      const std::size_t bytes = from.elements * size_of(from.type);
      if (bytes != to.lengths[sender]) {
        misuse(meeting.function + " with different lengths");
        return;
      }
      if (bytes > 0) std::memmove(static_cast<std::byte*>(to.received) + to.offsets[sender], from.sent, bytes);
    }
  }
}

/// Each rank gets its block of what the root has.
void finish_scatter(Communicator&, Meeting& meeting) {
  const CollectiveArguments& root = meeting.arguments[static_cast<std::size_t>(meeting.arguments.front().root)];
  const auto* block = static_cast<const std::byte*>(root.sent);
  for (const CollectiveArguments& own : meeting.arguments) {
    const std::size_t bytes = own.elements * size_of(own.type);
    if (bytes != root.elements * size_of(root.type) || own.root != meeting.arguments.front().root) {
      misuse(meeting.function + " with different arguments");
      return;
    }
    if (bytes > 0) std::memcpy(own.received, block, bytes);
    block += bytes;
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

bool is_root(int root, MPI_Comm comm) {
  Communicator* const there = find_communicator(comm);
  return there != nullptr && own_rank(*there) == root;
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

/// Not in place.
int scatter(const void* sendbuf, int, MPI_Datatype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
            MPI_Comm comm) {
  return meet(Call("Scatter", comm), comm,
              {.sent = sendbuf,
               .received = recvbuf,
               .elements = static_cast<std::size_t>(recvcount),
               .type = recvtype,
               .root = root},
              finish_scatter);
}

int barrier(MPI_Comm comm) {
  const Call call("Barrier", comm);
  return meet(call, comm, {}, finish_barrier);
}

/// What a rank brings to a gather. `offset`, `length`: in elements of the receive type, by rank.
template <class Offset, class Length>
CollectiveArguments gathered(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             MPI_Datatype recvtype, MPI_Comm comm, Offset offset, Length length) {
  Communicator* const there = find_communicator(comm);
  if (there == nullptr) return {};
  const Type* const type = find_type(recvtype);
  CollectiveArguments arguments{
      .sent = sendbuf, .received = recvbuf, .elements = static_cast<std::size_t>(sendcount), .type = sendtype};
  for (int rank = 0; rank < there->size(); ++rank) {
    arguments.offsets.push_back(static_cast<std::size_t>(offset(rank)) * static_cast<std::size_t>(type->extent));
    arguments.lengths.push_back(static_cast<std::size_t>(length(rank)) * type->size);
  }
  if (sendbuf == MPI_IN_PLACE) {
    const int rank = own_rank(*there);
    arguments.sent = static_cast<std::byte*>(recvbuf) + arguments.offsets[static_cast<std::size_t>(rank)];
    arguments.elements = static_cast<std::size_t>(length(rank));
    arguments.type = recvtype;
  }
  return arguments;
}

int allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm) {
  const Call call("Allgather", comm);
  return meet(
      call, comm,
      gathered(
          sendbuf, sendcount, sendtype, recvbuf, recvtype, comm,
          [&](int rank) { return rank * static_cast<std::ptrdiff_t>(recvcount); }, [&](int) { return recvcount; }),
      finish_gather);
}

int allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
               const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const Call call("Allgatherv", comm);
  return meet(call, comm,
              gathered(
                  sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, [&](int rank) { return displs[rank]; },
                  [&](int rank) { return recvcounts[rank]; }),
              finish_gather);
}

int gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const Call call("Gather", comm);
  CollectiveArguments arguments = gathered(
      sendbuf, sendcount, sendtype, recvbuf, recvtype, comm,
      [&](int rank) { return rank * static_cast<std::ptrdiff_t>(recvcount); }, [&](int) { return recvcount; });
  if (!is_root(root, comm)) arguments.offsets.clear();
  return meet(call, comm, std::move(arguments), finish_gather);
}

int gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
            const int* displs, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const Call call("Gatherv", comm);
  CollectiveArguments arguments{.sent = sendbuf, .elements = static_cast<std::size_t>(sendcount), .type = sendtype};
  if (is_root(root, comm)) {
    arguments = gathered(
        sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, [&](int rank) { return displs[rank]; },
        [&](int rank) { return recvcounts[rank]; });
  }
  return meet(call, comm, std::move(arguments), finish_gather);
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
  table.MPI_Allgather = allgather;
  table.MPI_Allgatherv = allgatherv;
  table.MPI_Gather = gather;
  table.MPI_Gatherv = gatherv;
  table.MPI_Scatter = scatter;
  table.MPI_Iallreduce = iallreduce;
  table.MPI_Ibcast = ibcast;
  table.MPI_Allreduce_init = allreduce_init;
}

}  // namespace airamp::testing
