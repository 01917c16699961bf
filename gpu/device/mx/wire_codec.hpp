// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "gpu/device/mx/four_bit_codec.hpp"
#include "gpu/device/mx/mx_codec.hpp"
#include "gpu/device/mx/six_bit_codec.hpp"

namespace airamp::gpu::device {

/// Which of the codecs makes the rows of a format.
template <WireFormat format, ElementType type>
struct WireCodecOf {
  using Codec = std::conditional_t<codec::WireFormatTraits<format>::element_bits == 8, MxCodec<format, type>,
                                   SixBitCodec<format, type>>;
};
template <ElementType type>
struct WireCodecOf<WireFormat::mxfp4, type> {
  using Codec = FourBitCodec<type>;
};

template <WireFormat format, ElementType type>
using WireCodec = typename WireCodecOf<format, type>::Codec;

}  // namespace airamp::gpu::device
