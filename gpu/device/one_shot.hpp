// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/any_bits.hpp"
#include "gpu/device/arguments.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/hole.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// One row of an allreduce in which everybody sends everything to everybody and reduces for himself, in rank order, so
/// that all get the same bits. No place is written twice in a launch, so nobody needs credit.
template <class Codec>
AIRAMP_DEVICE void one_shot_row(const OneShotArguments& a, std::uint32_t row) {
  constexpr int together = 4;  // ranks whose rows are read at once
  const std::uint64_t first = static_cast<std::uint64_t>(row) * Codec::row_elements;
  const auto number = [&](int reader, int writer) {  // by distance, as in a channel
    const int distance = writer > reader ? writer - reader : writer - reader + a.size;
    return static_cast<std::size_t>(distance - 1) * a.rows + row;
  };
  const auto place = [&](int reader, int writer) {
    return reinterpret_cast<Vector*>(a.region[reader] + number(reader, writer) * 512u) + lane_index();
  };
  const auto record = [&](int reader, int writer) {
    return reinterpret_cast<Vector*>(a.region[reader] + static_cast<std::size_t>(a.size - 1) * a.rows * 512u +
                                     number(reader, writer) * any_bits_record_bytes);
  };
  Vector elements[Codec::vectors];
  load_tile<Codec, 1>(elements, a.input, first, a.elements, a.input_aligned);
  const Vector mine = Codec::encode(elements);
  for (int d = 1; d < a.size; ++d) {
    const int reader = a.rank + d < a.size ? a.rank + d : a.rank + d - a.size;
    if constexpr (Codec::any_bits)
      store_wire<Codec::wide>(place(reader, a.rank), to_wire(mine, record(reader, a.rank)));
    else
      store_wire<Codec::wide>(place(reader, a.rank), mine);
  }
  typename Codec::Accumulator accumulators[Codec::width];
  for (int base = 0; base < a.size; base += together) {
    Vector theirs[together];
    bool missing;
    do {
      missing = false;
      AIRAMP_UNROLL
      for (int i = 0; i < together; ++i) {
        theirs[i] = Vector{};
        if (base + i < a.size && base + i != a.rank) theirs[i] = load_wire<Codec::wide>(place(a.rank, base + i));
      }
      AIRAMP_UNROLL
      for (int i = 0; i < together; ++i) missing |= has_hole<Codec::wide>(theirs[i]);
    } while (any(missing));
    AIRAMP_UNROLL
    for (int i = 0; i < together; ++i) {
      if (base + i >= a.size) continue;
      if (base + i != a.rank) {
        store_wire<Codec::wide>(place(a.rank, base + i), all_holes());
        if constexpr (Codec::any_bits) theirs[i] = from_wire(theirs[i], record(a.rank, base + i));
      } else {
        theirs[i] = mine;
      }
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
