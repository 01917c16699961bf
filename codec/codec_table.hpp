// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

inline constexpr std::size_t element_type_count = 3;

/// The codecs of one implementation: [wire format][element type].
using CodecTable = std::array<std::array<Codec, element_type_count>, every_wire_format.size()>;

constexpr const Codec& codec_of(const CodecTable& table, WireFormat format, ElementType type) {
  return table[static_cast<std::size_t>(format)][static_cast<std::size_t>(type)];
}

/// The table of an implementation: a class template over format and type with the four functions of Codec as static
/// members.
template <template <WireFormat, ElementType> class Implementation>
constexpr CodecTable make_codec_table() {
  constexpr auto codec = []<WireFormat format, ElementType type>() {
    using Functions = Implementation<format, type>;
    return Codec{format, Functions::encode, Functions::decode, Functions::accumulate, Functions::reduce};
  };
  constexpr auto all_types = [codec]<WireFormat format>() {
    return std::array<Codec, element_type_count>{codec.template operator()<format, ElementType::float16>(),
                                                 codec.template operator()<format, ElementType::bfloat16>(),
                                                 codec.template operator()<format, ElementType::float32>()};
  };
  return CodecTable{
      all_types.template operator()<WireFormat::mxfp8_e4m3>(), all_types.template operator()<WireFormat::mxfp8_e5m2>(),
      all_types.template operator()<WireFormat::mxint8>(),     all_types.template operator()<WireFormat::mxfp6_e2m3>(),
      all_types.template operator()<WireFormat::mxfp6_e3m2>(), all_types.template operator()<WireFormat::mxfp4>()};
}

}  // namespace airamp::codec
