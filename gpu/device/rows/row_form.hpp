// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "gpu/device/hole.hpp"
#include "gpu/device/leave.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/rows/any_bits.hpp"
#include "gpu/device/rows/attempts.hpp"
#include "gpu/device/rows/narrow_rows.hpp"
#include "gpu/device/rows/short_rows.hpp"

namespace airamp::gpu::device {

/// In what form a codec's rows travel: floating-point numbers by as many vectors as they need, integers by as many
/// planes, bytes with escapes, and what is compressed as it is. All lanes together.
template <class Codec>
struct RowForm {
  static constexpr bool is_float = requires { Codec::has_window; };
  static constexpr bool is_integer = Codec::any_bits && sizeof(typename Codec::Unit) > 1;
  static constexpr int element_bytes = static_cast<int>(sizeof(typename Codec::Unit));

  /// A row that may be sent to several ranks.
  using Ready = std::conditional_t<is_float, ShortRow, Vector>;

  /// A tile of `rows` rows. They are tried together, so that they wait for their votes and shuffles at the same time.
  template <int rows>
  static AIRAMP_DEVICE void make_ready(Ready* ready, const Vector* row, [[maybe_unused]] Attempts& attempts) {
    if constexpr (!is_float) {
      AIRAMP_UNROLL
      for (int u = 0; u < rows; ++u) ready[u] = row[u];
    } else if (attempts.is_due()) {
      bool is_short = false;
      AIRAMP_UNROLL
      for (int u = 0; u < rows; ++u) {
        ready[u] = ShortRows<Codec>::shortened(row[u]);
        is_short |= ready[u].vectors < 32;
      }
      attempts.note(is_short);
    } else {
      AIRAMP_UNROLL
      for (int u = 0; u < rows; ++u) ready[u] = {row[u], 32};
      attempts.note_pause();
    }
  }

  /// `to`: the lane's vector of the row; `record`: the row's, if the codec's rows have any.
  static AIRAMP_DEVICE void send(Vector* to, const Ready& row, [[maybe_unused]] Vector* record) {
    if constexpr (is_float)
      ShortRows<Codec>::send(to, row);
    else if constexpr (is_integer)
      push_planes<element_bytes>(to, row, record);
    else if constexpr (Codec::any_bits)
      store_wire<Codec::wide>(to, to_wire(row, record));
    else
      store_wire<Codec::wide>(to, row);
  }

  static AIRAMP_DEVICE Vector load(const Vector* from) {
    if constexpr (is_integer)
      return load_planes(from);
    else
      return load_wire<Codec::wide>(from);
  }

  static AIRAMP_DEVICE bool is_missing(const Vector& row) {
    if constexpr (is_float)
      return ShortRows<Codec>::is_missing(row);
    else if constexpr (is_integer)
      return misses_planes(row);
    else
      return has_hole<Codec::wide>(row);
  }

  /// Of what has arrived. `record`: gives the row's.
  template <class Record>
  static AIRAMP_DEVICE Vector received(const Vector& row, [[maybe_unused]] Record record,
                                       [[maybe_unused]] const Completion& completion) {
    if constexpr (is_float)
      return ShortRows<Codec>::restored(row);
    else if constexpr (is_integer)
      return from_planes<element_bytes>(row, record(), completion);
    else if constexpr (Codec::any_bits)
      return from_wire(row, record(), completion);
    else
      return row;
  }
};

}  // namespace airamp::gpu::device
