// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/chunk_channel.hpp"

#include <algorithm>

namespace airamp::pmpi {
namespace {

int bytes_of(std::size_t rows) { return static_cast<int>(rows * codec::wire_row_bytes); }

/// The first error of `each`, over the chunks of a group.
template <class Each>
int for_each(const ChunkGroup& group, const Each& each) {
  for (std::size_t chunk = group.begin; chunk < group.end; ++chunk) {
    if (const int error = each(chunk); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace

int ChunkSender::prepare(const Chunking& chunking) {
  if (chunking == chunking_) return MPI_SUCCESS;
  const std::size_t chunks = chunking.chunks();
  for (std::size_t i = 0; i < std::min(chunks, slots_per_channel); ++i) {
    const int error = whole_[i].initialise_send(slot(i), bytes_of(chunking.chunk_rows), peer_, tag_, comm_);
    if (error != MPI_SUCCESS) return error;
  }
  if (chunks > 0) {
    const std::size_t last = chunks - 1;
    const int error = last_.initialise_send(slot(last), bytes_of(chunking.size(last)), peer_, tag_, comm_);
    if (error != MPI_SUCCESS) return error;
  }
  chunking_ = chunking;
  return MPI_SUCCESS;
}

int ChunkSender::start(std::size_t chunk) {
  return chunk + 1 == chunking_.chunks() ? last_.start() : whole_[chunk % slots_per_channel].start();
}

int ChunkSender::start(const ChunkGroup& group) {
  return for_each(group, [this](std::size_t chunk) { return start(chunk); });
}

int ChunkSender::wait_for_slot(std::size_t chunk) { return whole_[chunk % slots_per_channel].wait(); }

int ChunkSender::wait_for_slots(const ChunkGroup& group) {
  return for_each(group, [this](std::size_t chunk) { return wait_for_slot(chunk); });
}

int ChunkSender::wait_for_all() {
  for (PersistentRequest& request : whole_) {
    if (const int error = request.wait(); error != MPI_SUCCESS) return error;
  }
  return last_.wait();
}

int ChunkReceiver::begin(std::size_t chunks) {
  chunks_ = chunks;
  if (!initialised_) {
    for (std::size_t i = 0; i < slots_per_channel; ++i) {
      const int error =
          requests_[i].initialise_receive(slots_ + i * slot_bytes_, static_cast<int>(slot_bytes_), peer_, tag_, comm_);
      if (error != MPI_SUCCESS) return error;
    }
    initialised_ = true;
  }
  const std::size_t first_chunks = std::min(chunks, slots_per_channel);
  for (std::size_t i = first_chunks; i < slots_per_channel; ++i) {
    if (const int error = requests_[i].cancel(); error != MPI_SUCCESS) return error;
  }
  for (std::size_t i = 0; i < first_chunks; ++i) {
    if (requests_[i].active()) continue;
    if (const int error = requests_[i].start(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int ChunkReceiver::post_ahead() { return begin(chunks_); }

int ChunkReceiver::drop(std::size_t sent) {
  for (std::size_t chunk = 0; chunk < std::min(sent, chunks_); ++chunk) {
    if (const int error = wait(chunk); error != MPI_SUCCESS) return error;
  }
  return for_each({.begin = 0, .end = slots_per_channel}, [this](std::size_t i) { return requests_[i].cancel(); });
}

int ChunkReceiver::wait(const ChunkGroup& group) {
  return for_each(group, [this](std::size_t chunk) { return wait(chunk); });
}

int ChunkReceiver::release(const ChunkGroup& group) {
  return for_each(group, [this](std::size_t chunk) { return release(chunk); });
}

int ChunkReceiver::release(std::size_t chunk) {
  return chunk + slots_per_channel < chunks_ ? requests_[chunk % slots_per_channel].start() : MPI_SUCCESS;
}

}  // namespace airamp::pmpi
