// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace airamp::pmpi {

class PackedElements;

/// Where one rank's contribution to a gather goes.
struct GatherBlock {
  std::byte* output;
  std::size_t elements;
};

/// What one rank gives to another one.
struct SentBlock {
  const std::byte* input;
  std::size_t elements;
};

/// The data of one call, in elements of the type that its facts name.
struct CollectiveData {
  const void* input = nullptr;      ///< may be the output, or its own block there
  void* output = nullptr;           ///< not of gathers
  std::size_t elements = 0;         ///< of the vector; of one block in a reduce_scatter_block or alltoall, of this
                                    ///< rank's in a reduce_scatter; not of gathers
  std::vector<GatherBlock> blocks;  ///< of gathers, and of exchanges with blocks of any length, by rank
  std::vector<SentBlock> sent;      ///< of such exchanges and of a reduce_scatter, by rank
  std::size_t inputs = 1;           ///< vectors of `elements` elements that a reduction takes from this rank: of a
                                    ///< reduce_scatter_block one for every rank, of a reduce_scatter see `sent`
  int root = 0;                     ///< of a broadcast, reduce, gather or scatter
  std::size_t outputs = 1;          ///< vectors of `elements` elements that this rank gets: of a broadcast the root
                                    ///< none, of a reduce nobody else one, of an alltoall all one from every rank

  /// Seconds that it pays to wait for room on a GPU rather than to run the call natively; NaN if that is not known.
  double patience_seconds = std::numeric_limits<double>::quiet_NaN();

  bool at_any_price = false;  ///< whether it is to be carried whatever that costs; the same on all ranks

  /// What the caller has to do anyway, for algorithms that wait for a GPU to do meanwhile; at most once. Does not
  /// throw.
  std::function<void()> meanwhile;

  /// Elements with holes, of which algorithms work on packed copies; nullptr if there are none. What this rank gets of
  /// them is to be unpacked in the end.
  std::shared_ptr<PackedElements> packed;

  /// Whether the blocks of a reduce_scatter have one length.
  bool is_even() const {
    return std::all_of(sent.begin(), sent.end(), [&](const SentBlock& block) { return block.elements == elements; });
  }

  /// Elements that a reduction takes from this rank.
  std::size_t given() const {
    const auto add = [](std::size_t sum, const SentBlock& block) { return sum + block.elements; };
    return sent.empty() ? elements * inputs : std::accumulate(sent.begin(), sent.end(), std::size_t{0}, add);
  }
};

}  // namespace airamp::pmpi
