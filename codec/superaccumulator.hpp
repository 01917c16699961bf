// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace airamp::codec {

/// The exact sum of up to 2^31 finite numbers, as a fixed-point number as wide as the range of binary64 (Kulisch,
/// "Computer Arithmetic and Validity", 2013). All of it is integer arithmetic: no floating-point mode has a part in it.
class Superaccumulator {
 public:
  /// `value`: finite.
  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t exponent = bits >> 52U & 0x7ffU;
    const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << 52U;
    const std::uint64_t significand = (bits & 0xfffffffffffffU) | hidden;
    const std::uint64_t position = exponent == 0 ? 0 : exponent - 1;
    const std::uint64_t shift = position % limb_bits;
    const std::int64_t sign = bits >> 63U != 0 ? -1 : 1;
    const std::uint64_t low = significand << shift;
    const std::uint64_t high = shift == 0 ? 0 : significand >> (64 - shift);
    std::int64_t* const limb = &limbs_[position / limb_bits];
    limb[0] += sign * static_cast<std::int64_t>(low & limb_mask);
    limb[1] += sign * static_cast<std::int64_t>(low >> limb_bits);
    limb[2] += sign * static_cast<std::int64_t>(high);
  }

  /// The sum, rounded to nearest, ties to even; infinite where that overflows; +0 if it is zero. Real: float or double.
  template <class Real>
  Real rounded() const {
    using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    constexpr int digits = std::numeric_limits<Real>::digits;
    // of the last bit of Real's subnormals, in the accumulator's bits
    constexpr int least = std::numeric_limits<double>::digits - std::numeric_limits<double>::min_exponent -
                          (digits - std::numeric_limits<Real>::min_exponent);
    constexpr std::uint64_t infinite = std::bit_cast<Bits>(std::numeric_limits<Real>::infinity());
    const Magnitude sum = magnitude();
    const int top = sum.top_bit();
    if (top < 0) return 0;
    const int last = top - least < digits ? least : top - digits + 1;  // bit that is kept
    std::uint64_t significand = sum.window(last);
    if (last > 0 && sum.bit(last - 1) && (sum.any_below(last - 1) || (significand & 1U) != 0)) ++significand;
    // exponent and significand side by side: a carry out of the one goes into the other, as it is to
    std::uint64_t bits = (static_cast<std::uint64_t>(last - least) << (digits - 1)) + significand;
    if (bits > infinite) bits = infinite;
    const Real value = std::bit_cast<Real>(static_cast<Bits>(bits));
    return sum.negative ? -value : value;
  }

 private:
  static constexpr unsigned limb_bits = 32;
  static constexpr std::uint64_t limb_mask = 0xffffffffU;
  static constexpr std::size_t limb_count = 67;  // 2046 + 53 bits, 31 for carries, and what is left of a limb

  struct Magnitude {
    std::array<std::uint32_t, limb_count + 2> limbs{};  // two more, for windows that reach beyond
    bool negative = false;

    /// -1: there is none.
    int top_bit() const {
      for (std::size_t i = limb_count; i-- > 0;) {
        if (limbs[i] != 0) return static_cast<int>(i * limb_bits) + std::bit_width(limbs[i]) - 1;
      }
      return -1;
    }
    bool bit(int position) const {
      const auto at = static_cast<unsigned>(position);
      return (limbs[at / limb_bits] >> at % limb_bits & 1U) != 0;
    }
    bool any_below(int position) const {
      const auto end = static_cast<unsigned>(position);
      for (unsigned i = 0; i < end / limb_bits; ++i) {
        if (limbs[i] != 0) return true;
      }
      return (limbs[end / limb_bits] & ((1U << end % limb_bits) - 1)) != 0;
    }
    /// The 64 bits from one on.
    std::uint64_t window(int position) const {
      const auto at = static_cast<unsigned>(position);
      const unsigned limb = at / limb_bits;
      const unsigned shift = at % limb_bits;
      const std::uint64_t two = limbs[limb] | static_cast<std::uint64_t>(limbs[limb + 1]) << limb_bits;
      return shift == 0 ? two : two >> shift | static_cast<std::uint64_t>(limbs[limb + 2]) << (64 - shift);
    }
  };

  Magnitude magnitude() const {
    Magnitude result;
    std::int64_t carry = 0;
    for (std::size_t i = 0; i < limb_count; ++i) {
      const std::int64_t sum = limbs_[i] + carry;
      result.limbs[i] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum) & limb_mask);
      carry = sum >> limb_bits;
    }
    result.negative = carry < 0;
    std::uint64_t borrow = 1;  // of the two's complement
    for (std::size_t i = 0; result.negative && i < limb_count; ++i) {
      borrow += ~result.limbs[i] & limb_mask;
      result.limbs[i] = static_cast<std::uint32_t>(borrow & limb_mask);
      borrow >>= limb_bits;
    }
    return result;
  }

  std::array<std::int64_t, limb_count> limbs_{};  // each of 32 bits, and room for carries
};

}  // namespace airamp::codec
