// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Collectives in which every rank has a block, and gets others' as they are.
#include <cstring>

#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {
namespace {

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

void finish_scatterv(Communicator&, Meeting& meeting) {
  const CollectiveArguments& root = meeting.arguments[static_cast<std::size_t>(meeting.arguments.front().root)];
  for (std::size_t rank = 0; rank < meeting.arguments.size(); ++rank) {
    const CollectiveArguments& own = meeting.arguments[rank];
    const std::size_t bytes = own.elements * size_of(own.type);
    if (own.root != meeting.arguments.front().root || bytes != root.lengths[rank]) {
      misuse(meeting.function + " with different arguments");
      return;
    }
    if (bytes > 0) std::memcpy(own.received, static_cast<const std::byte*>(root.sent) + root.offsets[rank], bytes);
  }
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

/// Not in place.
int scatterv(const void* sendbuf, const int* sendcounts, const int* displs, MPI_Datatype sendtype, void* recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const Call call("Scatterv", comm);
  CollectiveArguments arguments{.sent = sendbuf,
                                .received = recvbuf,
                                .elements = static_cast<std::size_t>(recvcount),
                                .type = recvtype,
                                .root = root};
  const Communicator* const there = find_communicator(comm);
  for (std::size_t rank = 0; there != nullptr && is_root(root, comm) && rank < there->members.size(); ++rank) {
    arguments.offsets.push_back(static_cast<std::size_t>(displs[rank]) * size_of(sendtype));
    arguments.lengths.push_back(static_cast<std::size_t>(sendcounts[rank]) * size_of(sendtype));
  }
  return meet(call, comm, std::move(arguments), finish_scatterv);
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

}  // namespace

void add_blocks(pmpi::Native& table) {
  table.MPI_Allgather = allgather;
  table.MPI_Allgatherv = allgatherv;
  table.MPI_Gather = gather;
  table.MPI_Gatherv = gatherv;
  table.MPI_Scatter = scatter;
  table.MPI_Scatterv = scatterv;
}

}  // namespace airamp::testing
