// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "mpitests/fake_gpu/exchange.hpp"
#include "mpitests/fake_gpu/wire.hpp"

namespace airamp::fake_gpu {

/// One rank's part of one collective, done in small steps.
class CollectiveRun {
 public:
  /// Ends the process if the arguments are not what PeerCollective promises. `context`: whose memory it is.
  CollectiveRun(const gpu::PeerCollective& collective, const void* context);
  CollectiveRun(const CollectiveRun&) = delete;
  CollectiveRun& operator=(const CollectiveRun&) = delete;

  /// Does what can be done without waiting. Whether all is done.
  bool step();

 private:
  /// Some elements of one rank's vector or block.
  struct Piece {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  struct Free {
    void operator()(std::byte* memory) const;
  };

  std::byte* host_memory(const void* pointer, std::uint64_t elements, const void* context) const;
  std::uint64_t rounds() const;
  std::uint64_t largest_piece() const;
  bool is_result_round() const;
  Piece piece(std::uint64_t begin, std::uint64_t elements) const;
  Piece owned_piece(int owner) const;
  void fill(int peer, std::byte* slot) const;
  void finish_round();
  void reduce(const Piece& piece);
  const std::byte* received(int rank) const;
  std::byte* output(std::uint64_t element) const;

  gpu::PeerCollective collective_;
  Exchange exchange_;
  Wire wire_;
  std::size_t element_bytes_;
  std::uint64_t capacity_;  ///< elements of a slot
  const std::byte* input_ = nullptr;
  std::byte* output_ = nullptr;
  std::unique_ptr<std::byte, Free> own_;      ///< what this rank sends to itself
  std::unique_ptr<std::byte, Free> reduced_;  ///< as it travels
  std::vector<bool> sent_;
  std::uint64_t round_ = 0;
};

}  // namespace airamp::fake_gpu
