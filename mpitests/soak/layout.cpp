// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/soak/layout.hpp"

#include <numeric>

namespace airamp::soak {
namespace {

int extent(const std::vector<int>& lengths, const std::vector<int>& offsets) {
  return lengths.empty() ? 0 : offsets.back() + lengths.back();
}

bool has_gaps(Kind kind) {
  return kind == Kind::allgatherv || kind == Kind::gatherv || kind == Kind::scatterv || kind == Kind::alltoallv;
}

std::vector<int> offsets_of(const Call& call, const std::vector<int>& lengths) {
  if (has_gaps(call.kind)) return block_offsets(lengths);
  std::vector<int> offsets(lengths.size(), 0);
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
  return offsets;
}

}  // namespace

Layout::Layout(const Call& call, int rank, int ranks) {
  switch (call.kind) {
    case Kind::allreduce:
    case Kind::iallreduce:
    case Kind::reduce:
    case Kind::scan:
    case Kind::exscan:
    case Kind::reduce_scatter_block:
    case Kind::reduce_scatter:
      lay_reduction(call, rank, ranks);
      break;
    case Kind::alltoall:
    case Kind::alltoallv:
      lay_exchange(call, rank, ranks);
      break;
    case Kind::barrier:
      break;
    default:
      lay_move(call, rank, ranks);
      break;
  }
}

void Layout::lay_reduction(const Call& call, int rank, int ranks) {
  int first = 0;
  int length = call.count;
  send_elements_ = call.count;
  if (call.kind == Kind::reduce_scatter_block || call.kind == Kind::reduce_scatter) {
    receive_lengths_ = block_lengths(call, ranks, rank);
    receive_offsets_ = offsets_of(call, receive_lengths_);
    send_elements_ = extent(receive_lengths_, receive_offsets_);
    first = receive_offsets_[static_cast<std::size_t>(rank)];
    length = receive_lengths_[static_cast<std::size_t>(rank)];
  }
  if (call.kind == Kind::reduce && rank != call.root) return;
  receive_elements_ = call.in_place ? send_elements_ : length;
  input_ = {{{0, send_elements_}, 0}};
  int last = ranks - 1;
  if (call.kind == Kind::scan) last = rank;
  if (call.kind == Kind::exscan) last = rank - 1;
  if (last >= 0) expected_ = {{{0, length}, -1, first, last}};
}

void Layout::lay_move(const Call& call, int rank, int ranks) {
  if (call.kind == Kind::bcast || call.kind == Kind::ibcast) {
    receive_elements_ = call.count;
    expected_ = {{{0, call.count}, call.root, 0, 0}};
    if (rank == call.root) input_ = {{{0, call.count}, 0}};
    return;
  }
  const std::vector<int> lengths = block_lengths(call, ranks, rank);
  const std::vector<int> offsets = offsets_of(call, lengths);
  const auto own = static_cast<std::size_t>(rank);
  if (call.kind == Kind::scatter || call.kind == Kind::scatterv) {
    send_lengths_ = lengths;
    send_offsets_ = offsets;
    if (rank == call.root) send_elements_ = extent(lengths, offsets);
    receive_elements_ = lengths[own];
    expected_ = {{{0, lengths[own]}, call.root, offsets[own], 0}};
    return;
  }
  send_elements_ = lengths[own];
  receive_lengths_ = lengths;
  receive_offsets_ = offsets;
  if ((call.kind == Kind::gather || call.kind == Kind::gatherv) && rank != call.root) return;
  receive_elements_ = extent(lengths, offsets);
  input_ = {{{offsets[own], lengths[own]}, 0}};
  for (std::size_t from = 0; from < lengths.size(); ++from) {
    expected_.push_back({{offsets[from], lengths[from]}, static_cast<int>(from), 0, 0});
  }
}

void Layout::lay_exchange(const Call& call, int rank, int ranks) {
  const auto own = static_cast<std::size_t>(rank);
  send_lengths_ = block_lengths(call, ranks, rank);
  send_offsets_ = offsets_of(call, send_lengths_);
  send_elements_ = extent(send_lengths_, send_offsets_);
  std::vector<int> firsts;
  for (int from = 0; from < ranks; ++from) {
    const std::vector<int> lengths = block_lengths(call, ranks, from);
    receive_lengths_.push_back(lengths[own]);
    firsts.push_back(offsets_of(call, lengths)[own]);
  }
  receive_offsets_ = offsets_of(call, receive_lengths_);
  receive_elements_ = extent(receive_lengths_, receive_offsets_);
  input_ = {{{0, send_elements_}, 0}};  // in place all blocks are equally long
  for (std::size_t from = 0; from < receive_lengths_.size(); ++from) {
    expected_.push_back({{receive_offsets_[from], receive_lengths_[from]}, static_cast<int>(from), firsts[from], 0});
  }
}

}  // namespace airamp::soak
