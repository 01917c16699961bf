// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/buffer.hpp"

#include <algorithm>
#include <cstring>

#include "mpitests/differential/random.hpp"

namespace airamp::differential {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t guard = 4 * line;
constexpr std::byte guard_byte{0xa5};
constexpr std::byte fill_byte{0x5c};

bool all_guard(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte byte) { return byte == guard_byte; });
}

}  // namespace

void Buffer::reset(std::size_t bytes, std::size_t offset) {
  const std::size_t needed = bytes + offset + 2 * guard + line;
  if (storage_.size() < needed) storage_.resize(needed + needed / 2);
  const auto misalignment = reinterpret_cast<std::uintptr_t>(storage_.data()) % line;
  data_ = storage_.data() + (line - misalignment) + guard + offset;
  bytes_ = bytes;
  std::fill(data_ - guard, data_, guard_byte);
  std::fill(data_, data_ + bytes, fill_byte);
  std::fill(data_ + bytes, data_ + bytes + guard - offset, guard_byte);
}

bool Buffer::guards_intact() const {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(data_) % line;
  return all_guard(data_ - guard, data_) && all_guard(data_ + bytes_, data_ + bytes_ + guard - offset);
}

std::uint64_t Buffer::hash() const {
  std::uint64_t hash = bytes_;
  for (std::size_t i = 0; i < bytes_; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data_ + i, std::min<std::size_t>(8, bytes_ - i));
    hash = mix(hash ^ word);
  }
  return hash;
}

}  // namespace airamp::differential
