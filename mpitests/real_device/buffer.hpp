// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace airamp::gpu_tests {

/// How a buffer was allocated.
enum class Place : std::uint8_t {
  device,   ///< cudaMalloc
  pool,     ///< cudaMallocAsync
  host,     ///< pageable
  pinned,   ///< cudaHostAlloc
  managed,  ///< cudaMallocManaged
};
inline constexpr std::size_t places = 5;

const char* to_string(Place place);

/// `bytes` bytes, `offset` behind an aligned address, with guards on both sides. All of it holds a pattern at first.
class Buffer {
 public:
  static constexpr std::byte pattern{0xa5};

  Buffer(Place place, std::size_t bytes, std::size_t offset);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return storage_ + guard + offset_; }
  std::size_t size() const { return bytes_; }
  Place place() const { return place_; }

  void write(const std::vector<std::byte>& bytes);
  std::vector<std::byte> read() const;
  bool guards_intact() const;

 private:
  static constexpr std::size_t guard = 512;

  std::size_t whole() const { return bytes_ + offset_ + 2 * guard; }

  Place place_;
  std::size_t bytes_;
  std::size_t offset_;
  std::byte* storage_ = nullptr;
};

}  // namespace airamp::gpu_tests
