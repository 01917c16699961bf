// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "testing/mix.hpp"

namespace airamp::benchmark {

/// A hash of bytes that come in pieces: FNV-1a's steps on words of eight bytes, four chains at a time.
class BitHash {
 public:
  /// All pieces but the last have a multiple of 32 bytes.
  void add(const std::byte* data, std::size_t bytes) {
    std::size_t done = 0;
    for (; done + sizeof chains_ <= bytes; done += sizeof chains_) step(data + done);
    if (done == bytes) return;
    std::array<std::byte, sizeof chains_> rest{};
    std::copy(data + done, data + bytes, rest.begin());
    step(rest.data());
  }

  std::uint64_t value() const {
    std::uint64_t result = 0;
    for (const std::uint64_t chain : chains_) result = testing::mix(result ^ chain);
    return result;
  }

 private:
  void step(const std::byte* data) {
    std::array<std::uint64_t, 4> words{};
    std::memcpy(words.data(), data, sizeof words);
    for (std::size_t i = 0; i < words.size(); ++i) chains_[i] = (chains_[i] ^ words[i]) * 0x100000001b3U;
  }

  std::array<std::uint64_t, 4> chains_{1, 2, 3, 4};
};

}  // namespace airamp::benchmark
