// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "codec/codec_table.hpp"

namespace airamp::codec {

/// An implementation of the host codecs.
struct HostTarget {
  std::string_view name;
  const CodecTable* codecs;
};

/// All SIMD implementations that were compiled and that this processor can run, fastest first. Empty where the
/// reference is all there is.
std::vector<HostTarget> runnable_host_targets();

}  // namespace airamp::codec
