// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// In place of simd/simd_codec.cpp where there is no Highway: the reference codecs do the work.
#include "codec/simd_targets.hpp"

namespace airamp::codec {

const CodecTable* avx512_codecs() { return nullptr; }
const CodecTable* avx2_codecs() { return nullptr; }
const CodecTable* neon_codecs() { return nullptr; }

}  // namespace airamp::codec
