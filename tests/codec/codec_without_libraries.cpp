// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

extern "C" __attribute__((visibility("default"))) void encode_float16(const void* input, std::size_t elements,
                                                                      std::byte* wire) {
  using airamp::ElementType;
  using airamp::WireFormat;
  airamp::codec::host_codec(WireFormat::mxfp8_e4m3, ElementType::float16).encode(input, elements, wire);
}
