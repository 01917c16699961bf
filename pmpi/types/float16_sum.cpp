// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/float16_sum.hpp"

#include <array>

#include "codec/floating_point_scope.hpp"
#include "codec/lossless_reduce.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace airamp::pmpi {
namespace {

#if defined(__x86_64__)

constexpr std::size_t lanes = 8;

/// Adds a multiple of `lanes` elements. Not inlined, so that no arithmetic moves out of the floating-point scope.
__attribute__((target("avx,f16c"), noinline)) void add_vectors(const std::byte* in, std::byte* inout,
                                                               std::size_t elements) {
  for (std::size_t offset = 0; offset < elements * 2; offset += lanes * 2) {
    const auto* from = reinterpret_cast<const __m128i*>(in + offset);
    auto* to = reinterpret_cast<__m128i*>(inout + offset);
    const __m256 sum = _mm256_add_ps(_mm256_cvtph_ps(_mm_loadu_si128(from)), _mm256_cvtph_ps(_mm_loadu_si128(to)));
    _mm_storeu_si128(to, _mm256_cvtps_ph(sum, _MM_FROUND_TO_NEAREST_INT));
  }
}

/// Returns how many elements it has added.
std::size_t add_most(const std::byte* in, std::byte* inout, std::size_t elements) {
  static const bool converts = __builtin_cpu_supports("avx2") != 0;  // and so float16
  if (!converts) return 0;
  const codec::FloatingPointScope scope;
  const std::size_t most = elements / lanes * lanes;
  add_vectors(in, inout, most);
  return most;
}

#else

std::size_t add_most(const std::byte* /*in*/, std::byte* /*inout*/, std::size_t /*elements*/) { return 0; }

#endif

}  // namespace

void add_float16(const std::byte* in, std::byte* inout, std::size_t elements) {
  const std::size_t done = add_most(in, inout, elements);
  if (done == elements) return;
  std::byte* const rest = inout + 2 * done;
  const std::array<const std::byte*, 2> vectors = {in + 2 * done, rest};
  codec::reduce_lossless(DataType::float16, ReduceOp::sum, vectors.data(), vectors.size(), elements - done, rest);
}

}  // namespace airamp::pmpi
