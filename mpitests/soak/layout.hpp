// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "mpitests/soak/call.hpp"

namespace airamp::soak {

/// Elements of a buffer, one after the other.
struct Block {
  int offset = 0;
  int length = 0;
};

/// A rank's part in a call: what its buffers hold before it and after it.
class Layout {
 public:
  Layout(const Call& call, int rank, int ranks);

  /// Of this rank, elements; 0 where a buffer is not significant.
  int send_elements() const { return send_elements_; }
  int receive_elements() const { return receive_elements_; }

  /// Arguments of the v-kinds; for reduce_scatter `receive_lengths` are all ranks'.
  const std::vector<int>& send_lengths() const { return send_lengths_; }
  const std::vector<int>& send_offsets() const { return send_offsets_; }
  const std::vector<int>& receive_lengths() const { return receive_lengths_; }
  const std::vector<int>& receive_offsets() const { return receive_offsets_; }

  /// What this rank must have in its receive buffer: blocks and, in each, the number of element `index`.
  struct Expected {
    Block block;
    int from = -1;  ///< the rank whose numbers they are; -1: reduced over ranks 0 ... last
    int first = 0;  ///< index, in the sender's buffer, of the block's first element
    int last = 0;   ///< the last rank that is reduced
  };
  const std::vector<Expected>& expected() const { return expected_; }

  /// What the call finds in the receive buffer in place: the block, and which of this rank's numbers come first.
  struct Input {
    Block block;
    int first = 0;
  };
  const std::vector<Input>& in_place_input() const { return input_; }

 private:
  void lay_reduction(const Call& call, int rank, int ranks);
  void lay_move(const Call& call, int rank, int ranks);
  void lay_exchange(const Call& call, int rank, int ranks);

  int send_elements_ = 0;
  int receive_elements_ = 0;
  std::vector<int> send_lengths_;
  std::vector<int> send_offsets_;
  std::vector<int> receive_lengths_;
  std::vector<int> receive_offsets_;
  std::vector<Expected> expected_;
  std::vector<Input> input_;
};

/// The number that rank `rank` has as element `index` of its send buffer: 0, 1 or 2, of which no path can fail to make
/// the exact results of up to 8 ranks, 8-bit floats included.
inline std::int64_t number(const Call& call, int rank, int index) {
  const std::uint64_t bits =
      differential::mix(call.seed ^ (static_cast<std::uint64_t>(rank) << 40U) ^ static_cast<std::uint64_t>(index));
  return static_cast<std::int64_t>(bits % 3);
}

}  // namespace airamp::soak
