// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace airamp::telemetry {

/// Text of at most `Bytes` bytes in shared memory, filled up with NUL. Words are atomic, so a reader may look at any
/// time; that all of them belong together is for the row's version to say.
template <std::size_t Bytes>
class TextField {
  static_assert(Bytes % sizeof(std::uint64_t) == 0);

 public:
  static constexpr std::size_t capacity = Bytes;

  /// Stores `text`, cut at a character's boundary if it is too long.
  void store(std::string_view text) noexcept {
    std::size_t length = text.size();
    if (length > Bytes) {
      length = Bytes;
      while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    }
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t word = 0;
      const std::size_t begin = i * sizeof word;
      if (begin < length) std::memcpy(&word, text.data() + begin, length - begin < 8 ? length - begin : 8);
      words_[i].store(word, std::memory_order_relaxed);
    }
  }

  /// The bytes as they are: neither terminated nor checked.
  std::array<char, Bytes> load() const noexcept {
    std::array<char, Bytes> bytes{};
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t word = words_[i].load(std::memory_order_relaxed);
      std::memcpy(bytes.data() + i * sizeof word, &word, sizeof word);
    }
    return bytes;
  }

  /// Whether this holds what `store(text)` leaves.
  bool equals(std::string_view text) const noexcept {
    TextField other;
    other.store(text);
    return other.load() == load();
  }

 private:
  std::array<std::atomic<std::uint64_t>, Bytes / sizeof(std::uint64_t)> words_{};
};

}  // namespace airamp::telemetry
