// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/collective_run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "gpu/peer/geometry.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::fake_gpu {
namespace {

using gpu::Pattern;
using gpu::PeerCollective;
using gpu::Shots;

constexpr std::align_val_t wire_alignment{64};

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fake GPU: %s\n", what);
  std::abort();
}

std::byte* allocate(std::size_t bytes) { return static_cast<std::byte*>(::operator new(bytes, wire_alignment)); }

/// Where the last of so many blocks ends.
std::uint64_t end_of(const std::array<gpu::Block, gpu::max_peers>& blocks, int size) {
  std::uint64_t end = 0;
  for (int rank = 0; rank < size; ++rank) {
    const gpu::Block& block = blocks[static_cast<std::size_t>(rank)];
    end = std::max(end, block.elements == 0 ? 0 : block.offset + block.elements);
  }
  return end;
}

/// Of how many ranks, from rank 0 on, this rank's result is.
int sources_of(const PeerCollective& collective) {
  switch (collective.pattern) {
    case Pattern::reduce:
      return collective.rank == collective.root ? collective.size : 0;
    case Pattern::scan:
      return collective.rank + 1;
    case Pattern::exscan:
      return collective.rank;
    default:
      return collective.size;
  }
}

std::uint64_t received_elements(const PeerCollective& collective) {
  if (sources_of(collective) == 0) return 0;
  if (collective.pattern == Pattern::allgather) return end_of(collective.blocks, collective.size);
  if (collective.pattern == Pattern::reduce_scatter)
    return collective.blocks[static_cast<std::size_t>(collective.rank)].elements;
  if (collective.pattern != Pattern::alltoallv) return collective.elements;
  auto kept = collective.blocks;
  for (std::size_t rank = 0; rank < kept.size(); ++rank) kept[rank].elements = collective.room[rank];
  return end_of(kept, collective.size);
}

std::uint64_t sent_elements(const PeerCollective& collective) {
  switch (collective.pattern) {
    case Pattern::reduce_scatter_block:
      return collective.elements * static_cast<std::uint64_t>(collective.size);
    case Pattern::allgather:
      return collective.blocks[static_cast<std::size_t>(collective.rank)].elements;
    case Pattern::alltoallv:
      return end_of(collective.sent, collective.size);
    case Pattern::reduce_scatter:
      return end_of(collective.blocks, collective.size);
    default:
      break;
  }
  return collective.elements;
}

/// What the kernels load and store at once, at least: a GPU faults where it is not aligned to its size.
std::size_t loaded_bytes(const PeerCollective& collective) {
  return !reduces(collective.pattern) && !collective.wire ? 1 : size_of(collective.type);
}

void check(const PeerCollective& collective) {
  demand(collective.size >= 1 && collective.size <= gpu::max_peers, "a wrong number of ranks");
  demand(collective.rank >= 0 && collective.rank < collective.size, "a wrong rank");
  demand(collective.root >= 0 && collective.root < collective.size, "a wrong root");
  const bool one_shot = collective.shots == Shots::one;
  demand(!one_shot || (may_be_one_shot(collective.pattern) && !collective.wire),
         "one shot is for lossless reductions of whole vectors");
  demand(collective.pattern != Pattern::alltoallv || !collective.wire, "a compressed alltoall");
  for (std::size_t rank = 0; collective.pattern == Pattern::alltoallv && rank < gpu::max_peers; ++rank) {
    const std::uint64_t longest = std::max(collective.sent[rank].elements, collective.blocks[rank].elements);
    demand(longest <= collective.elements, "a block that is longer than the longest");
    demand(collective.room[rank] <= collective.blocks[rank].elements, "more is kept of a block than there is");
  }
  for (const gpu::Block& block : collective.blocks) {
    demand(collective.pattern != Pattern::reduce_scatter || block.elements <= collective.elements,
           "a result that is longer than the longest");
  }
  const std::size_t message = collective.elements * size_of(collective.type);
  const std::size_t needed = one_shot ? gpu::one_shot_region_bytes(message, collective.size)
                                      : gpu::smallest_two_shot_region_bytes(collective.size);
  demand(collective.region_bytes >= needed, "the region is too small");
  for (int rank = 0; rank < collective.size; ++rank) {
    const auto region = reinterpret_cast<std::uintptr_t>(collective.region[static_cast<std::size_t>(rank)]);
    demand(region != 0 && region % 1024 == 0, "a region that is not there or not aligned");
  }
}

}  // namespace

void CollectiveRun::Free::operator()(std::byte* memory) const { ::operator delete(memory, wire_alignment); }

CollectiveRun::CollectiveRun(const PeerCollective& collective, const void* context)
    : collective_(collective),
      exchange_(collective_),
      wire_(collective.wire, collective.type, collective.op),
      element_bytes_(size_of(collective.type)),
      capacity_(wire_.capacity(exchange_.slot_bytes())),
      own_(allocate(exchange_.slot_bytes())),
      reduced_(allocate(exchange_.slot_bytes())),
      sent_(static_cast<std::size_t>(collective.size), false) {
  check(collective_);
  demand(capacity_ > 0, "the region is too small for the fake");
  input_ = host_memory(collective.input, sent_elements(collective), context);
  output_ = host_memory(collective.output, received_elements(collective), context);
}

std::byte* CollectiveRun::host_memory(const void* pointer, std::uint64_t elements, const void* context) const {
  if (elements == 0) return nullptr;
  demand(fake_gpu_reaches(context, pointer, elements * element_bytes_), "a buffer that the GPU does not reach");
  demand(reinterpret_cast<std::uintptr_t>(pointer) % loaded_bytes(collective_) == 0, "a misaligned address");
  return static_cast<std::byte*>(fake_gpu_host_address(pointer));
}

std::uint64_t CollectiveRun::rounds() const {
  const auto pieces = [](std::uint64_t elements, std::uint64_t step) { return (elements + step - 1) / step; };
  if (collective_.pattern == Pattern::allgather) {
    std::uint64_t most = 0;
    for (int rank = 0; rank < collective_.size; ++rank) {
      most = std::max(most, collective_.blocks[static_cast<std::size_t>(rank)].elements);
    }
    return pieces(most, capacity_);
  }
  if (collective_.pattern == Pattern::allreduce && collective_.shots == Shots::two) {
    return 2 * pieces(collective_.elements, capacity_ * static_cast<std::uint64_t>(collective_.size));
  }
  return pieces(collective_.elements, capacity_);
}

std::uint64_t CollectiveRun::largest_piece() const {
  std::uint64_t elements = collective_.elements;
  if (collective_.pattern == Pattern::allgather) {
    for (const gpu::Block& block : collective_.blocks) elements = std::max(elements, block.elements);
  }
  return std::min(elements, capacity_);
}

bool CollectiveRun::is_result_round() const {
  return collective_.pattern == Pattern::allreduce && collective_.shots == Shots::two && round_ % 2 == 1;
}

/// Up to a slot's worth from `begin` on.
CollectiveRun::Piece CollectiveRun::piece(std::uint64_t begin, std::uint64_t elements) const {
  return begin >= elements ? Piece{} : Piece{begin, std::min(capacity_, elements - begin)};
}

/// Of a two-shot allreduce, in this pair of rounds.
CollectiveRun::Piece CollectiveRun::owned_piece(int owner) const {
  const auto size = static_cast<std::uint64_t>(collective_.size);
  return piece((round_ / 2 * size + static_cast<std::uint64_t>(owner)) * capacity_, collective_.elements);
}

const std::byte* CollectiveRun::received(int rank) const {
  return rank == collective_.rank ? own_.get() : exchange_.incoming(rank);
}

std::byte* CollectiveRun::output(std::uint64_t element) const { return output_ + element * element_bytes_; }

void CollectiveRun::fill(int peer, std::byte* slot) const {
  const auto encode = [&](std::uint64_t base, const Piece& part) {
    wire_.encode(input_ + (base + part.first) * element_bytes_, part.count, slot);
  };
  const Piece whole = piece(round_ * capacity_, collective_.elements);
  switch (collective_.pattern) {
    case Pattern::allgather:
      encode(0, piece(round_ * capacity_, sent_elements(collective_)));
      return;
    case Pattern::bcast:
      if (collective_.rank == collective_.root) encode(0, whole);
      return;
    case Pattern::reduce_scatter_block:
      encode(static_cast<std::uint64_t>(peer) * collective_.elements, whole);
      return;
    case Pattern::alltoallv: {
      const gpu::Block& block = collective_.sent[static_cast<std::size_t>(peer)];
      encode(block.offset, piece(round_ * capacity_, block.elements));
      return;
    }
    case Pattern::reduce_scatter: {
      const gpu::Block& block = collective_.blocks[static_cast<std::size_t>(peer)];
      encode(block.offset, piece(round_ * capacity_, block.elements));
      return;
    }
    case Pattern::reduce:
    case Pattern::scan:
    case Pattern::exscan:
      encode(0, whole);
      return;
    case Pattern::allreduce:
      break;
  }
  if (collective_.shots == Shots::one) {
    encode(0, whole);
  } else if (is_result_round()) {
    std::copy_n(reduced_.get(), wire_.bytes(owned_piece(collective_.rank).count), slot);
  } else {
    encode(0, owned_piece(peer));
  }
}

void CollectiveRun::reduce(const Piece& part) {
  std::array<const std::byte*, gpu::max_peers> wires{};
  const int sources = sources_of(collective_);
  for (int rank = 0; rank < sources; ++rank) wires[static_cast<std::size_t>(rank)] = received(rank);
  if (part.count > 0 && sources > 0) wire_.reduce(wires.data(), sources, part.count, reduced_.get());
}

/// Everything of this round has been sent and has arrived.
void CollectiveRun::finish_round() {
  const Piece whole = piece(round_ * capacity_, collective_.elements);
  const bool two_shot = collective_.shots == Shots::two;
  switch (collective_.pattern) {
    case Pattern::allgather:
      for (int rank = 0; rank < collective_.size; ++rank) {
        const gpu::Block& block = collective_.blocks[static_cast<std::size_t>(rank)];
        const Piece part = piece(round_ * capacity_, block.elements);
        wire_.decode(received(rank), part.count, output(block.offset + part.first));
      }
      return;
    case Pattern::bcast:
      wire_.decode(received(collective_.root), whole.count, output(whole.first));
      return;
    case Pattern::alltoallv:
      for (int rank = 0; rank < collective_.size; ++rank) {
        const auto from = static_cast<std::size_t>(rank);
        const Piece part = piece(round_ * capacity_, collective_.room[from]);
        wire_.decode(received(rank), part.count, output(collective_.blocks[from].offset + part.first));
      }
      return;
    case Pattern::allreduce:
      if (two_shot && !is_result_round()) return reduce(owned_piece(collective_.rank));
      if (two_shot) {
        for (int owner = 0; owner < collective_.size; ++owner) {
          const Piece part = owned_piece(owner);
          wire_.decode(received(owner), part.count, output(part.first));
        }
        return;
      }
      break;
    default:
      break;
  }
  Piece result = whole;
  if (collective_.pattern == Pattern::reduce_scatter)
    result = piece(round_ * capacity_, collective_.blocks[static_cast<std::size_t>(collective_.rank)].elements);
  reduce(result);
  if (sources_of(collective_) > 0) wire_.decode(reduced_.get(), result.count, output(result.first));
}

bool CollectiveRun::step() {
  if (round_ == rounds()) {
    if (!exchange_.quiet()) return false;
    if (round_ > 0) exchange_.erase(wire_.bytes(largest_piece()));
    return true;
  }
  bool complete = true;
  for (int peer = 0; peer < collective_.size; ++peer) {
    const bool self = peer == collective_.rank;
    auto sent = sent_[static_cast<std::size_t>(peer)];
    if (!sent && (self || exchange_.may_send(peer))) {
      fill(peer, self ? own_.get() : exchange_.outgoing(peer));
      if (!self) exchange_.send(peer);
      sent = true;
    }
    complete = complete && sent && (self || exchange_.arrived(peer));
  }
  if (!complete) return false;
  finish_round();
  exchange_.end_round();
  sent_.assign(sent_.size(), false);
  ++round_;
  return false;
}

}  // namespace airamp::fake_gpu
