// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace airamp::device_tests {

/// Where a buffer lies; all but `host` are the fake GPU's (mpitests/fake_gpu/fake_gpu.hpp).
enum class Place : std::uint8_t { device, host, managed, other_context, virtual_mapping, registered };
inline constexpr int places = 6;

/// `bytes` bytes, `offset` behind an aligned address, between guards. Everything holds `pattern` at first.
class Buffer {
 public:
  static constexpr std::byte pattern{0xa5};

  Buffer(Place place, std::size_t bytes, std::size_t offset = 0);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// For MPI. The host may not be able to read it.
  void* data() const { return storage_ + guard + offset_; }

  /// For the host.
  std::byte* host() const { return host_ + guard + offset_; }

  bool guards_intact() const;

 private:
  static constexpr std::size_t guard = 512;

  Place place_;
  std::size_t bytes_;
  std::size_t offset_;
  std::byte* storage_;
  std::byte* host_;
};

}  // namespace airamp::device_tests
