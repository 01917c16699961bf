// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/hole.hpp"
#include "gpu/device/leave.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/rows/any_bits.hpp"
#include "gpu/device/start_gate.hpp"

namespace airamp::gpu::device {

/// One warp's rows of a reduction in which everybody sends everything to all who need it, and they reduce for
/// themselves, in rank order, so that all get the same bits. No place is written twice in a launch, so nobody needs
/// credit. Warps of the same number have the same rows on all ranks, and take them in the same order. `ranks`: of an
/// allreduce among so many; 0: of any reduction, among any number.
template <int ranks, class Codec>
struct OneShot {
  const OneShotArguments& a;
  std::uint32_t first;  ///< row
  std::uint32_t warps;  ///< that have rows

  /// False: it was to leave, and is not done.
  AIRAMP_DEVICE bool run(const StartGate& gate) const {
    const StartGate::Count count = gate.begin();
    for (std::uint32_t row = first; row < a.rows; row += warps) {
      in_step();
      Vector elements[Codec::vectors];
      load_tile<Codec, 1>(elements, a.input, begin_of(row), a.elements, a.input_aligned);
      const Vector mine = Codec::encode(elements);
      if (row == first && !gate.may_push(count)) return false;
      push(mine, row);
      if (row == first) gate.pushed(count);
      if (sources() > 0 && !reduce(elements, mine, row)) return false;
      if (row == first && !gate.all_started()) return false;
      if (sources() > 0) store_row<Codec>(elements, a.output, begin_of(row), a.elements, a.output_aligned);
    }
    return true;
  }

 private:
  static constexpr int together = ranks != 0 ? ranks : 4;  // ranks whose rows are read at once

  AIRAMP_DEVICE int size() const { return ranks != 0 ? ranks : a.size; }
  AIRAMP_DEVICE int sources() const { return ranks != 0 ? ranks : a.sources; }
  AIRAMP_DEVICE bool reads(int rank) const { return ranks != 0 || (a.readers >> rank & 1u) != 0; }

  AIRAMP_DEVICE std::uint64_t begin_of(std::uint32_t row) const {
    return static_cast<std::uint64_t>(row) * Codec::row_elements;
  }

  /// By distance, as in a channel.
  AIRAMP_DEVICE std::size_t number(int reader, int writer, std::uint32_t row) const {
    const int distance = writer > reader ? writer - reader : writer - reader + size();
    return static_cast<std::size_t>(distance - 1) * a.rows + row;
  }

  AIRAMP_DEVICE Vector* place(int reader, int writer, std::uint32_t row) const {
    return reinterpret_cast<Vector*>(a.region[reader] + number(reader, writer, row) * 512u) + lane_index();
  }

  AIRAMP_DEVICE Vector* record(int reader, int writer, std::uint32_t row) const {
    return reinterpret_cast<Vector*>(a.region[reader] + static_cast<std::size_t>(size() - 1) * a.rows * 512u +
                                     number(reader, writer, row) * any_bits_record_bytes);
  }

  AIRAMP_DEVICE void push(const Vector& mine, std::uint32_t row) const {
    for (int d = 1; d < size(); ++d) {
      const int reader = a.rank + d < size() ? a.rank + d : a.rank + d - size();
      if (!reads(reader)) continue;
      if constexpr (Codec::any_bits)
        store_wire<Codec::wide>(place(reader, a.rank, row), to_wire(mine, record(reader, a.rank, row)));
      else
        store_wire<Codec::wide>(place(reader, a.rank, row), mine);
    }
  }

  AIRAMP_DEVICE bool take(Vector* theirs, int base, std::uint32_t row) const {
    for (std::uint32_t turns = 0;; ++turns) {
      bool missing = false;
      AIRAMP_UNROLL
      for (int i = 0; i < together; ++i) {
        theirs[i] = Vector{};
        if (base + i < sources() && base + i != a.rank)
          theirs[i] = load_wire<Codec::wide>(place(a.rank, base + i, row));
      }
      AIRAMP_UNROLL
      for (int i = 0; i < together; ++i) missing |= has_hole<Codec::wide>(theirs[i]);
      if (!any(missing)) return true;
      if (is_told_to_leave(a.completion, turns)) return false;
    }
  }

  AIRAMP_DEVICE bool reduce(Vector* elements, const Vector& mine, std::uint32_t row) const {
    typename Codec::Accumulator accumulators[Codec::width];
    for (int base = 0; base < sources(); base += together) {
      Vector theirs[together];
      if (!take(theirs, base, row)) return false;
      AIRAMP_UNROLL
      for (int i = 0; i < together; ++i) {
        if (base + i >= sources()) continue;
        if (base + i != a.rank) {
          store_wire<Codec::wide>(place(a.rank, base + i, row), all_holes());
          if constexpr (Codec::any_bits) theirs[i] = from_wire(theirs[i], record(a.rank, base + i, row), a.completion);
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
    return true;
  }
};

}  // namespace airamp::gpu::device
