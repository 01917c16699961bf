// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/movements/rooted_movement.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

std::uint64_t RootedMovement::Side::bytes() const { return payload_bytes(count, type); }

Elements RootedMovement::Side::block(int rank) const {
  const std::ptrdiff_t offset = rank * static_cast<std::ptrdiff_t>(count) * extent_of(type);
  return {.at = static_cast<std::byte*>(const_cast<void*>(buffer)) + offset, .count = count, .type = type};
}

Elements RootedMovement::Side::blocks(int ranks) const {
  return {.at = const_cast<void*>(buffer), .count = ranks * count, .type = type};
}

std::uint64_t RootedMovement::bytes() const {
  if (arguments_.root < 0) return 0;  // between groups, where some ranks have no data, or the MPI library's error
  return (is_root() ? all() : own()).bytes();
}

bool RootedMovement::aliased() const {
  const Side block = own();
  const Side blocks = all();
  if (block.buffer < blocks.buffer || block.type != blocks.type || block.count != blocks.count) return false;
  if (block.count <= 0 || in_place() || !is_root()) return false;
  return block.buffer == blocks.block(root()).at;
}

LocalFacts RootedMovement::facts(Wish wish) const {
  const bool root = is_root();
  const Elements elements = root ? all().blocks(ranks_in(arguments_.comm)) : own().blocks(1);
  LocalFacts facts = facts_of_movement(elements.type, elements.count, wish);
  facts.type = DataType::byte;  // ranks may describe the same bytes by different types
  if (arguments_.root >= ranks_in(arguments_.comm) || (!root && in_place())) {
    facts.not_as_it_is(Reason::no_such_root);  // the MPI library's error
  }
  if (bytes() == 0) facts.not_as_it_is(Reason::no_data);
  if (!root || in_place()) return facts;
  facts.and_those(facts_of_movement(own().type, own().count, wish));
  if (own().bytes() != all().bytes()) facts.not_as_it_is(Reason::different_lengths);  // the MPI library's error
  return facts;
}

Span RootedMovement::span(const Side& side, int blocks) {
  return side.buffer == MPI_IN_PLACE ? Span{} : span_of(side.type, 0, blocks * side.count);
}

Buffers RootedGatherCall::buffers() const {
  if (!is_root()) return {arguments_.sendbuf, arguments_.sendbuf};
  return {in_place() ? arguments_.recvbuf : arguments_.sendbuf, arguments_.recvbuf};
}

int RootedGatherCall::run_with_copies() const {
  const RootedArguments& a = arguments_;
  // elsewhere than at the root the receive buffer may be anything
  if (!need_copies(a.sendbuf, is_root() ? a.recvbuf : a.sendbuf) || is_between_groups(a.comm)) {
    return run_library(a.sendbuf, a.recvbuf);
  }
  const int blocks = is_root() ? ranks_in(a.comm) : 0;
  return run_on_host(
      a.comm, {a.sendbuf, span(sent(), 1), true}, {a.recvbuf, span(received(), blocks), in_place()},
      [&] { return rows_received(blocks); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

/// Of the root's own block only what is not there already.
std::vector<Rows> RootedGatherCall::rows_received(int blocks) const {
  std::vector<Rows> rows;
  for (int rank = 0; rank < blocks; ++rank) {
    if (in_place() && rank == arguments_.root) continue;
    const std::ptrdiff_t first = rank * static_cast<std::ptrdiff_t>(arguments_.recvcount);
    add_rows(rows, rows_of(arguments_.recvtype, first, arguments_.recvcount));
  }
  return rows;
}

CollectiveData RootedGatherCall::data(const LocalFacts& /*facts*/) const {
  const bool root = is_root();
  const int blocks = root ? ranks_in(arguments_.comm) : 0;
  CollectiveData data{
      .elements = bytes(), .blocks = {}, .root = arguments_.root, .outputs = static_cast<std::size_t>(blocks)};
  const Elements own = root && in_place() ? received().block(arguments_.root) : sent().blocks(1);
  data.input = place_of_given(own, arguments_.comm, data);
  if (root) data.output = place_of_taken(received().blocks(blocks), arguments_.comm, data);
  return data;
}

std::optional<Elements> ScatterCall::received_from_root() const {
  if (in_place() && is_root()) return std::nullopt;
  return Elements{.at = arguments_.recvbuf, .count = arguments_.recvcount, .type = arguments_.recvtype};
}

Buffers ScatterCall::buffers() const {
  if (!is_root()) return {arguments_.recvbuf, arguments_.recvbuf};
  return {arguments_.sendbuf, in_place() ? arguments_.sendbuf : arguments_.recvbuf};
}

int ScatterCall::run_with_copies() const {
  const RootedArguments& a = arguments_;
  // elsewhere than at the root the send buffer may be anything
  if (!need_copies(is_root() ? a.sendbuf : a.recvbuf, a.recvbuf) || is_between_groups(a.comm)) {
    return run_library(a.sendbuf, a.recvbuf);
  }
  const int blocks = is_root() ? ranks_in(a.comm) : 0;
  return run_on_host(
      a.comm, {a.sendbuf, span(sent(), blocks), true}, {a.recvbuf, span(received(), 1), false},
      [&] { return in_place() ? std::vector<Rows>{} : rows_of(a.recvtype, 0, a.recvcount); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

CollectiveData ScatterCall::data(const LocalFacts& /*facts*/) const {
  const bool root = is_root();
  const bool receives = !root || !in_place();
  CollectiveData data{.elements = bytes(), .blocks = {}, .root = arguments_.root, .outputs = receives ? 1U : 0U};
  if (root) data.input = place_of_given(sent().blocks(ranks_in(arguments_.comm)), arguments_.comm, data);
  if (receives) data.output = place_of_taken(received().blocks(1), arguments_.comm, data);
  return data;
}

}  // namespace airamp::pmpi
