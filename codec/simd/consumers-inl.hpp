// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What becomes of decoded rows; included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_CONSUMERS) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_CONSUMERS
#undef AIRAMP_CODEC_SIMD_CONSUMERS
#else
#define AIRAMP_CODEC_SIMD_CONSUMERS
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "codec/simd/elements-inl.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

/// Consumers: decoding a row calls them for all of it. A struct for each, for lambdas do not inherit the SIMD target.
template <ElementType type>
struct StoreValues {
  Bytes* output;
  template <class D>
  HWY_INLINE void operator()(D d, std::size_t index, hn::Vec<D> values) const {
    store_elements<type>(d, values, output + index * size_of(type));
  }
};

/// The first operand of a reduction.
template <ReduceOp op>
struct StartAccumulators {
  float* accumulators;
  template <class D>
  HWY_INLINE void operator()(D d, std::size_t index, hn::Vec<D> values) const {
    hn::StoreU(op == ReduceOp::sum ? hn::Add(hn::Zero(d), values) : values, d, accumulators + index);
  }
};

template <ReduceOp op>
struct UpdateAccumulators {
  float* accumulators;
  template <class D>
  HWY_INLINE void operator()(D d, std::size_t index, hn::Vec<D> values) const {
    const auto accumulator = hn::LoadU(d, accumulators + index);
    if constexpr (op == ReduceOp::sum) {
      hn::StoreU(hn::Add(accumulator, values), d, accumulators + index);
    } else {
      // A comparison with NaN is false: it keeps a NaN accumulator, and a NaN value is taken unless it is one.
      const auto replaces = op == ReduceOp::max ? hn::Gt(values, accumulator) : hn::Lt(values, accumulator);
      const auto number = hn::IfThenElse(replaces, values, accumulator);
      const auto take_nan = hn::AndNot(hn::IsNaN(accumulator), hn::IsNaN(values));
      hn::StoreU(hn::IfThenElse(take_nan, values, number), d, accumulators + index);
    }
  }
};

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
