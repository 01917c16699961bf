// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/soak/checked_run.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/soak/layout.hpp"

namespace airamp::soak {
namespace {

using device_tests::Buffer;

std::int64_t reduced(const Call& call, int last, int index) {
  std::int64_t result = number(call, 0, index);
  for (int rank = 1; rank <= last; ++rank) result = combine(call.operation.meaning, result, number(call, rank, index));
  return result;
}

void write(const Call& call, int rank, const Layout::Input& input, std::byte* data) {
  for (int i = 0; i < input.block.length; ++i) {
    const auto place = static_cast<std::size_t>(input.block.offset + i) * call.element->bytes;
    call.element->store(number(call, rank, input.first + i), data + place);
  }
}

/// What the receive buffer must hold: what it held before, and the results.
std::vector<std::byte> expected_bytes(const Call& call, const Layout& layout, std::vector<std::byte> bytes) {
  for (const Layout::Expected& part : layout.expected()) {
    for (int i = 0; i < part.block.length; ++i) {
      const auto place = static_cast<std::size_t>(part.block.offset + i) * call.element->bytes;
      const int index = part.first + i;
      call.element->store(part.from >= 0 ? number(call, part.from, index) : reduced(call, part.last, index),
                          bytes.data() + place);
    }
  }
  return bytes;
}

int make(const Call& call, const Layout& layout, const void* send, void* receive, MPI_Comm comm,
         const std::function<void()>& meanwhile) {
  const MPI_Datatype type = call.element->type;
  const MPI_Op op = call.operation.op;
  const int count = call.count;
  const int* const send_lengths = layout.send_lengths().data();
  const int* const send_offsets = layout.send_offsets().data();
  const int* const lengths = layout.receive_lengths().data();
  const int* const offsets = layout.receive_offsets().data();
  MPI_Request request = MPI_REQUEST_NULL;
  switch (call.kind) {
    case Kind::allreduce:
      return MPI_Allreduce(send, receive, count, type, op, comm);
    case Kind::reduce:
      return MPI_Reduce(send, receive, count, type, op, call.root, comm);
    case Kind::scan:
      return MPI_Scan(send, receive, count, type, op, comm);
    case Kind::exscan:
      return MPI_Exscan(send, receive, count, type, op, comm);
    case Kind::reduce_scatter_block:
      return MPI_Reduce_scatter_block(send, receive, count, type, op, comm);
    case Kind::reduce_scatter:
      return MPI_Reduce_scatter(send, receive, lengths, type, op, comm);
    case Kind::bcast:
      return MPI_Bcast(receive, count, type, call.root, comm);
    case Kind::allgather:
      return MPI_Allgather(send, count, type, receive, count, type, comm);
    case Kind::allgatherv:
      return MPI_Allgatherv(send, layout.send_elements(), type, receive, lengths, offsets, type, comm);
    case Kind::gather:
      return MPI_Gather(send, count, type, receive, count, type, call.root, comm);
    case Kind::gatherv:
      return MPI_Gatherv(send, layout.send_elements(), type, receive, lengths, offsets, type, call.root, comm);
    case Kind::scatter:
      return MPI_Scatter(send, count, type, receive, count, type, call.root, comm);
    case Kind::scatterv:
      return MPI_Scatterv(send, send_lengths, send_offsets, type, receive, layout.receive_elements(), type, call.root,
                          comm);
    case Kind::alltoall:
      return MPI_Alltoall(send, count, type, receive, count, type, comm);
    case Kind::alltoallv:
      return MPI_Alltoallv(send, send_lengths, send_offsets, type, receive, lengths, offsets, type, comm);
    case Kind::barrier:
      return MPI_Barrier(comm);
    case Kind::iallreduce:
      MPI_Iallreduce(send, receive, count, type, op, comm, &request);
      break;
    case Kind::ibcast:
      MPI_Ibcast(receive, count, type, call.root, comm, &request);
      break;
  }
  meanwhile();
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

std::string run_checked(const Call& call, MPI_Comm communicator, const std::function<void()>& meanwhile) {
  const int rank = laws::rank_in(communicator);
  const Layout layout(call, rank, laws::size_of(communicator));
  // The root alone says that a reduction is in place.
  const bool in_place = call.in_place && (call.kind != Kind::reduce || rank == call.root);
  const std::size_t send_bytes = static_cast<std::size_t>(layout.send_elements()) * call.element->bytes;
  const std::size_t receive_bytes = static_cast<std::size_t>(layout.receive_elements()) * call.element->bytes;
  const Buffer send(call.send_place, send_bytes);
  const Buffer receive(call.receive_place, receive_bytes);
  write(call, rank, {{0, layout.send_elements()}, 0}, send.host());
  const bool reads_receive = in_place || call.kind == Kind::bcast || call.kind == Kind::ibcast;
  if (reads_receive) {
    for (const Layout::Input& input : layout.in_place_input()) write(call, rank, input, receive.host());
  }
  const std::vector<std::byte> sent(send.host(), send.host() + send_bytes);
  const std::vector<std::byte> expected =
      expected_bytes(call, layout, std::vector<std::byte>(receive.host(), receive.host() + receive_bytes));
  const int error = make(call, layout, in_place ? MPI_IN_PLACE : send.data(), receive.data(), communicator, meanwhile);
  if (error != MPI_SUCCESS) return "MPI's error code " + std::to_string(error);
  // In place the rest of the vector of a reduce_scatter_block is the MPI library's to write.
  const std::size_t looked_at = in_place && call.kind == Kind::reduce_scatter_block
                                    ? static_cast<std::size_t>(call.count) * call.element->bytes
                                    : receive_bytes;
  const auto* const end = receive.host() + looked_at;
  const auto* const wrong = std::mismatch(receive.host(), const_cast<std::byte*>(end), expected.begin()).first;
  if (wrong != end) return "byte " + std::to_string(wrong - receive.host()) + " of the result";
  if (!std::equal(sent.begin(), sent.end(), send.host())) return "the send buffer was written";
  if (!send.guards_intact() || !receive.guards_intact()) return "memory beside a buffer was written";
  return {};
}

}  // namespace airamp::soak
