// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

#include "gpu/backend.hpp"
#include "gpu/peer/collective.hpp"

namespace airamp::gpu::test {

/// What ranks that are processes of one host share.
struct SharedState {
  std::atomic<std::uint32_t> arrived{0};
  std::atomic<std::uint32_t> generation{0};
  std::atomic<bool> failed{false};
  ExportedMemory memory[max_peers];
  double numbers[max_peers] = {};
  char failure[4096] = {};
};

/// One rank, in its own process.
class Rank {
 public:
  Rank(SharedState& state, int rank, int size) : state_(state), rank_(rank), size_(size) {}

  int rank() const { return rank_; }
  int size() const { return size_; }
  SharedState& state() const { return state_; }
  /// Waits for all; throws if one of them has failed.
  void meet() const;
  /// Ends this process, and makes the run fail for this reason if it is the first one. What would be freed on the way
  /// out of a scope may have to wait for a launch that does not end.
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  SharedState& state_;
  int rank_;
  int size_;
};

/// Runs `program` in `size` new processes; what one of them threw, or an empty text. The caller must not have used a
/// GPU itself. A run of more than `seconds` is ended.
std::string run_ranks(int size, unsigned seconds, const std::function<void(const Rank&)>& program);

/// The number of GPUs, asked for by a process of its own.
int count_gpus_elsewhere();

/// The regions of all ranks as one of them sees them.
class Regions {
 public:
  Regions(const Rank& rank, Device* device, std::size_t bytes);
  Regions(const Regions&) = delete;
  Regions& operator=(const Regions&) = delete;
  ~Regions();

  std::byte* operator[](int rank) const { return region_[rank]; }
  std::size_t bytes() const { return bytes_; }

 private:
  const Rank& rank_;
  Device* device_;
  std::size_t bytes_;
  std::byte* region_[max_peers] = {};
};

}  // namespace airamp::gpu::test
