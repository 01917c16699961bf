// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Loads and stores of elements as vectors of binary32; included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_ELEMENTS) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_ELEMENTS
#undef AIRAMP_CODEC_SIMD_ELEMENTS
#else
#define AIRAMP_CODEC_SIMD_ELEMENTS
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Float = hn::CappedTag<float, 16>;
using HalfFloat = hn::Half<Float>;
using Bytes = std::uint8_t;

inline constexpr std::size_t float_lanes = hn::MaxLanes(Float());

/// Lanes(d) elements from `bytes`, in binary32.
template <ElementType type, class D>
HWY_INLINE hn::Vec<D> load_elements(D d, const Bytes* bytes) {
  if constexpr (type == ElementType::float32) {
    return hn::LoadU(d, reinterpret_cast<const float*>(bytes));
  } else {
    const hn::Rebind<std::uint16_t, D> d16;
    const auto bits = hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(bytes));
    if constexpr (type == ElementType::float16) {
      return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), bits));
    } else {
      return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(hn::RebindToUnsigned<D>(), bits)));
    }
  }
}

/// Rounds to `type` and stores Lanes(d) elements at `bytes`. NaN lanes must hold quiet_nan_float32.
template <ElementType type, class D>
HWY_INLINE void store_elements(D d, hn::Vec<D> values, Bytes* bytes) {
  if constexpr (type == ElementType::float32) {
    hn::StoreU(values, d, reinterpret_cast<float*>(bytes));
  } else if constexpr (type == ElementType::float16) {
    const hn::Rebind<hwy::float16_t, D> d16;
    const hn::Rebind<std::uint16_t, D> du16;
    hn::StoreU(hn::BitCast(du16, hn::DemoteTo(d16, values)), du16, reinterpret_cast<std::uint16_t*>(bytes));
  } else {
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const hn::Rebind<std::uint16_t, D> du16;
    const auto bits = hn::BitCast(du, values);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, odd), hn::Set(du, 0x7fffu)));
    hn::StoreU(hn::DemoteTo(du16, hn::BitCast(di, rounded)), du16, reinterpret_cast<std::uint16_t*>(bytes));
  }
}

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
