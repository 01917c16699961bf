// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_device/checked_call/numbers.hpp"

#include <algorithm>
#include <cstring>

namespace airamp::device_tests {

Numbers::Numbers(const Call& call)
    : format_(call.element->format),
      bytes_(call.element->bytes),
      meaning_(call.reduces() ? call.operation->meaning : Meaning::sum),
      range_(!gpu_tests::is_float(format_) ? Range::bits
             : meaning_ == Meaning::prod   ? Range::one_or_two
                                           : Range::small),
      unused_bits_(64 - 8 * static_cast<unsigned>(bytes_)),
      has_sign_(format_ == Format::int32 || format_ == Format::int64),
      round_(static_cast<std::uint64_t>(call.round) << 44U) {
  // MPICH 4.0's extremes of unsigned integers are those of signed ones.
  const bool extreme = meaning_ == Meaning::max || meaning_ == Meaning::min;
  if (extreme && (format_ == Format::uint32 || format_ == Format::uint64)) ++unused_bits_;
}

std::int64_t Numbers::reduced(int ranks, std::size_t index) const {
  std::int64_t result = of(0, index);
  for (int rank = 1; rank < ranks; ++rank) {
    const std::int64_t other = of(rank, index);
    const auto a = static_cast<std::uint64_t>(result);
    const auto b = static_cast<std::uint64_t>(other);
    switch (meaning_) {
      case Meaning::sum:
        result = static_cast<std::int64_t>(a + b);
        break;
      case Meaning::prod:
        result = static_cast<std::int64_t>(a * b);
        break;
      case Meaning::max:
        result = std::max(result, other);
        break;
      case Meaning::min:
        result = std::min(result, other);
        break;
    }
  }
  return result;
}

void Numbers::store(std::int64_t number, std::byte* data, std::size_t index) const {
  std::byte* const place = data + index * bytes_;
  if (format_ == Format::float32) {
    const auto value = static_cast<float>(number);
    std::memcpy(place, &value, sizeof value);
  } else if (gpu_tests::is_float(format_)) {
    gpu_tests::set_value(format_, data, index, static_cast<double>(number));
  } else {
    std::memcpy(place, &number, bytes_);  // little-endian: its lowest bytes
  }
}

}  // namespace airamp::device_tests
