// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/codec_table.hpp"

namespace airamp::codec {

/// The SIMD codecs that this library was compiled with, null where they were not. Whether the processor can run them is
/// for the caller to find out.
const CodecTable* avx512_codecs();
const CodecTable* avx2_codecs();
const CodecTable* neon_codecs();

}  // namespace airamp::codec
