// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/values/half_operations.hpp"

#include <algorithm>
#include <cstdint>

#include "testing/half.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace airamp::benchmark {
namespace {

struct Sum {
  float operator()(float a, float b) const { return a + b; }
#if defined(__x86_64__)
  __attribute__((target("avx,f16c"))) __m256 operator()(__m256 a, __m256 b) const { return _mm256_add_ps(a, b); }
#endif
};
struct Max {
  float operator()(float a, float b) const { return std::max(a, b); }
#if defined(__x86_64__)
  __attribute__((target("avx,f16c"))) __m256 operator()(__m256 a, __m256 b) const { return _mm256_max_ps(a, b); }
#endif
};
struct Min {
  float operator()(float a, float b) const { return std::min(a, b); }
#if defined(__x86_64__)
  __attribute__((target("avx,f16c"))) __m256 operator()(__m256 a, __m256 b) const { return _mm256_min_ps(a, b); }
#endif
};

#if defined(__x86_64__)
// The native side must not be slow for want of the processor's conversions, which codes with an operation like this
// use. Returns the elements done.
template <typename Operation>
__attribute__((target("avx,f16c"))) int apply_float16_vectors(const std::uint16_t* in, std::uint16_t* inout,
                                                              int count) {
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256 a = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i)));
    const __m256 b = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(inout + i)));
    const __m128i result = _mm256_cvtps_ph(Operation{}(a, b), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(inout + i), result);
  }
  return i;
}
#endif

template <typename Operation>
void apply_float16(void* in_buffer, void* inout_buffer, int* count, MPI_Datatype* /*type*/) {
  const auto* in = static_cast<const std::uint16_t*>(in_buffer);
  auto* inout = static_cast<std::uint16_t*>(inout_buffer);
  int i = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) i = apply_float16_vectors<Operation>(in, inout, *count);
#endif
  for (; i < *count; ++i) {
    inout[i] = testing::float16_from_float(
        Operation{}(testing::float_from_float16(in[i]), testing::float_from_float16(inout[i])));
  }
}

template <typename Operation>
void apply_bfloat16(void* in_buffer, void* inout_buffer, int* count, MPI_Datatype* /*type*/) {
  const auto* in = static_cast<const std::uint16_t*>(in_buffer);
  auto* inout = static_cast<std::uint16_t*>(inout_buffer);
  for (int i = 0; i < *count; ++i) {
    inout[i] = testing::bfloat16_from_float(
        Operation{}(testing::float_from_bfloat16(in[i]), testing::float_from_bfloat16(inout[i])));
  }
}

template <typename Operation>
MPI_User_function* for_type(ElementType type) {
  return type == ElementType::float16 ? apply_float16<Operation> : apply_bfloat16<Operation>;
}

}  // namespace

MPI_User_function* half_operation(ElementType type, Operation operation) {
  switch (operation) {
    case Operation::max:
      return for_type<Max>(type);
    case Operation::min:
      return for_type<Min>(type);
    case Operation::sum:
      break;
  }
  return for_type<Sum>(type);
}

}  // namespace airamp::benchmark
