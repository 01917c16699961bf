// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "codec/codec.hpp"
#include "codec/codec_table.hpp"
#include "codec/host_targets.hpp"
#include "codec/simd_targets.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace airamp::codec {
namespace {

#if defined(__x86_64__) || defined(__i386__)
bool runs_avx2() {
  // Not every compiler's __builtin_cpu_supports knows F16C.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  const bool f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
  return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}

bool runs_avx512() {
  return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#else
bool runs_avx2() { return false; }
bool runs_avx512() { return false; }
#endif

const CodecTable* best_codecs() {
  const std::vector<HostTarget> targets = runnable_host_targets();
  return targets.empty() ? nullptr : targets.front().codecs;
}

}  // namespace

std::vector<HostTarget> runnable_host_targets() {
  std::vector<HostTarget> targets;
  if (avx512_codecs() != nullptr && runs_avx512()) targets.push_back({"avx512", avx512_codecs()});
  if (avx2_codecs() != nullptr && runs_avx2()) targets.push_back({"avx2", avx2_codecs()});
  // Where it was compiled, the whole library was compiled for it.
  if (neon_codecs() != nullptr) targets.push_back({"neon", neon_codecs()});
  return targets;
}

const Codec& host_codec(WireFormat format, ElementType type) {
  static const CodecTable* const best = best_codecs();
  return best != nullptr ? codec_of(*best, format, type) : host_reference_codec(format, type);
}

}  // namespace airamp::codec
