// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/execute.hpp"

#include <algorithm>

#include "mpitests/differential/data.hpp"

namespace airamp::differential {
namespace {

int rank_in(const Call& call) {
  int rank = 0;
  MPI_Comm_rank(call.communicator->handle, &rank);
  return rank;
}

int world_rank_of_me(const Call& call) { return call.communicator->members[static_cast<std::size_t>(rank_in(call))]; }

bool gathers(Kind kind) { return kind == Kind::allgather || kind == Kind::allgatherv; }

template <typename Count, typename Displacement>
void blocks(const Call& call, std::vector<Count>& counts, std::vector<Displacement>& offsets) {
  for (const int source : sources(call)) counts.push_back(static_cast<Count>(contribution(call, source)));
  for (const std::size_t offset : displacements(call)) offsets.push_back(static_cast<Displacement>(offset));
}

int execute_large(const Call& call, const void* send, int send_count, MPI_Datatype send_type, void* receive) {
#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
  const auto count = static_cast<MPI_Count>(call.count);
  const MPI_Datatype type = call.element->type;
  const MPI_Comm comm = call.communicator->handle;
  if (call.kind == Kind::allreduce) return MPI_Allreduce_c(send, receive, count, type, call.operation->op, comm);
  if (call.kind == Kind::allgather) return MPI_Allgather_c(send, send_count, send_type, receive, count, type, comm);
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> offsets;
  blocks(call, counts, offsets);
  return MPI_Allgatherv_c(send, send_count, send_type, receive, counts.data(), offsets.data(), type, comm);
#else
  (void)call, (void)send, (void)send_count, (void)send_type, (void)receive;
  return MPI_ERR_UNSUPPORTED_OPERATION;
#endif
}

int execute_plain(const Call& call, const void* send, int send_count, MPI_Datatype send_type, void* receive) {
  const int count = static_cast<int>(call.count);
  const MPI_Datatype type = call.element->type;
  const MPI_Comm comm = call.communicator->handle;
  const MPI_Op op = call.operation != nullptr ? call.operation->op : MPI_OP_NULL;
  switch (call.kind) {
    case Kind::allreduce:
      return MPI_Allreduce(send, receive, count, type, op, comm);
    case Kind::allgather:
      return MPI_Allgather(send, send_count, send_type, receive, count, type, comm);
    case Kind::allgatherv: {
      std::vector<int> counts;
      std::vector<int> offsets;
      blocks(call, counts, offsets);
      return MPI_Allgatherv(send, send_count, send_type, receive, counts.data(), offsets.data(), type, comm);
    }
    case Kind::iallreduce: {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Iallreduce(send, receive, count, type, op, comm, &request);
      return MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    case Kind::bcast:
      return MPI_Bcast(receive, count, type, call.root, comm);
    case Kind::reduce:
      return MPI_Reduce(send, receive, count, type, op, call.root, comm);
    case Kind::scan:
      return MPI_Scan(send, receive, count, type, op, comm);
    case Kind::reduce_scatter_block:
      return MPI_Reduce_scatter_block(send, receive, count, type, op, comm);
    case Kind::alltoall:
      return MPI_Alltoall(send, count, type, receive, count, type, comm);
    case Kind::gather:
      return MPI_Gather(send, count, type, receive, count, type, call.root, comm);
    case Kind::scatter:
      return MPI_Scatter(send, count, type, receive, count, type, call.root, comm);
  }
  return MPI_ERR_OTHER;
}

}  // namespace

Extents extents(const Call& call) {
  const std::size_t members = call.communicator->members.size();
  switch (call.kind) {
    case Kind::allgather:
    case Kind::allgatherv: {
      const std::vector<std::size_t> offsets = displacements(call);
      return {contribution(call, world_rank_of_me(call)), offsets.back() + contribution(call, sources(call).back())};
    }
    case Kind::bcast:
      return {0, call.count};
    case Kind::reduce_scatter_block:
    case Kind::scatter:
      return {members * call.count, call.count};
    case Kind::alltoall:
      return {members * call.count, members * call.count};
    case Kind::gather:
      return {call.count, members * call.count};
    default:
      return {call.count, call.count};
  }
}

void prepare_send(const Call& call, Buffer& send) {
  const std::size_t elements = extents(call).send;
  send.reset(elements * call.element->bytes, call.send_offset);
  write_contribution(call, world_rank_of_me(call), elements, send.data());
}

void prepare_receive(const Call& call, Buffer& receive) {
  receive.reset(extents(call).receive * call.element->bytes, call.receive_offset);
  const int me = world_rank_of_me(call);
  std::size_t offset = 0;
  if (gathers(call.kind) && !call.communicator->inter)
    offset = displacements(call)[static_cast<std::size_t>(rank_in(call))] * call.element->bytes;
  if (call.in_place || (call.kind == Kind::bcast && rank_in(call) == call.root))
    write_contribution(call, me, contribution(call, me), receive.data() + offset);
}

int execute(const Call& call, const Buffer& send, Buffer& receive) {
  const bool ignored = call.in_place && gathers(call.kind);
  const void* source = call.in_place ? MPI_IN_PLACE : send.data();
  const int send_count = ignored ? 0 : static_cast<int>(contribution(call, world_rank_of_me(call)));
  const MPI_Datatype send_type = ignored ? MPI_DATATYPE_NULL : call.element->type;
  return call.large_count ? execute_large(call, source, send_count, send_type, receive.data())
                          : execute_plain(call, source, send_count, send_type, receive.data());
}

}  // namespace airamp::differential
