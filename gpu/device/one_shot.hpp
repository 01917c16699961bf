// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/channel.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// One row of an allreduce in which everybody sends everything to everybody and reduces for himself, in rank order, so
/// that all get the same bits. No place is written twice in a launch, so nobody needs credit.
template <class Codec>
AIRAMP_DEVICE void one_shot_row(const OneShotArguments& a, std::uint32_t row) {
  constexpr int together = 4;  // ranks whose rows are read at once
  const std::uint64_t first = static_cast<std::uint64_t>(row) * Codec::row_elements;
  const auto place = [&](int reader, int writer) {
    const auto index = static_cast<std::uint32_t>(writer - (writer > reader ? 1 : 0));
    return reinterpret_cast<Vector*>(a.region[reader] + (static_cast<std::size_t>(index) * a.rows + row) * 512u) +
           lane_index();
  };
  Vector elements[Codec::vectors];
  load_tile<Codec, 1>(elements, a.input, first, a.elements, a.input_aligned);
  const Vector mine = Codec::encode(elements);
  for (int d = 1; d < a.size; ++d) {
    const int reader = a.rank + d < a.size ? a.rank + d : a.rank + d - a.size;
    store_wire<Codec::wide>(place(reader, a.rank), mine);
  }
  typename Codec::Accumulator accumulators[Codec::width];
  const Vector hole = {{hole_word, hole_word, hole_word, hole_word}};
  for (int base = 0; base < a.size; base += together) {
    Vector theirs[together];
    bool missing;
    do {
      missing = false;
      AIRAMP_UNROLL
      for (int i = 0; i < together; ++i) {
        theirs[i] = mine;
        if (base + i < a.size && base + i != a.rank) theirs[i] = load_wire<Codec::wide>(place(a.rank, base + i));
      }
      AIRAMP_UNROLL
      for (int i = 0; i < together; ++i) missing |= has_hole<Codec::wide>(theirs[i]);
    } while (any(missing));
    AIRAMP_UNROLL
    for (int i = 0; i < together; ++i) {
      if (base + i >= a.size) continue;
      if (base + i != a.rank) store_wire<Codec::wide>(place(a.rank, base + i), hole);
      if (base + i == 0)
        Codec::start(a.op, accumulators, theirs[i]);
      else
        Codec::add(a.op, accumulators, theirs[i]);
    }
  }
  Codec::decode(Codec::finish(accumulators), elements);
  store_row<Codec>(elements, a.output, first, a.elements, a.output_aligned);
}

}  // namespace airamp::gpu::device
