// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <new>

#include "memory.hpp"

namespace airamp::benchmark {
namespace {

constexpr std::align_val_t alignment{64};

class HostMemory final : public Memory {
 public:
  std::byte* allocate(std::size_t bytes) override { return static_cast<std::byte*>(::operator new(bytes, alignment)); }
  void release(std::byte* data) override { ::operator delete(data, alignment); }
  void copy(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void fill(void* data, unsigned char value, std::size_t bytes) override { std::memset(data, value, bytes); }
  std::span<std::byte> staging() override { return {}; }
  const std::byte* readable(const std::byte* data) const override { return data; }
};

}  // namespace

std::unique_ptr<Memory> host_memory() { return std::make_unique<HostMemory>(); }

}  // namespace airamp::benchmark
