// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace airamp::pmpi {

/// Where one rank's contribution to a gather goes.
struct GatherBlock {
  std::byte* output;
  std::size_t elements;
};

/// The data of one call, in elements of the type that its facts name.
struct CollectiveData {
  const void* input = nullptr;      ///< may be the output, or its own block there
  void* output = nullptr;           ///< not of gathers
  std::size_t elements = 0;         ///< of the vector; of one block in a reduce_scatter_block or alltoall; not of
                                    ///< gathers
  std::vector<GatherBlock> blocks;  ///< of gathers, by rank
  int root = 0;                     ///< of a broadcast, reduce, gather or scatter
  std::size_t outputs = 1;          ///< vectors of `elements` elements that this rank gets: of a broadcast the root
                                    ///< none, of a reduce nobody else one, of an alltoall all one from every rank

  /// Seconds that it pays to wait for room on a GPU rather than to run the call natively; NaN if that is not known.
  double patience_seconds = std::numeric_limits<double>::quiet_NaN();

  /// What the caller has to do anyway, for algorithms that wait for a GPU to do meanwhile; at most once. Does not
  /// throw.
  std::function<void()> meanwhile;
};

}  // namespace airamp::pmpi
