// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/buffer.hpp"

#include <algorithm>
#include <cstdlib>

#include "mpitests/real_device/device.hpp"

namespace airamp::gpu_tests {

const char* to_string(Place place) {
  constexpr const char* names[places] = {"device", "pool", "host", "pinned", "managed"};
  return names[static_cast<std::size_t>(place)];
}

Buffer::Buffer(Place place, std::size_t bytes, std::size_t offset) : place_(place), bytes_(bytes), offset_(offset) {
  void* storage = nullptr;
  switch (place) {
    case Place::device:
      require(cudaMalloc(&storage, whole()), "cudaMalloc");
      break;
    case Place::pool:
      require(cudaMallocAsync(&storage, whole(), nullptr), "cudaMallocAsync");
      break;
    case Place::host:
      storage = std::malloc(whole());
      break;
    case Place::pinned:
      require(cudaHostAlloc(&storage, whole(), cudaHostAllocDefault), "cudaHostAlloc");
      break;
    case Place::managed:
      require(cudaMallocManaged(&storage, whole(), cudaMemAttachGlobal), "cudaMallocManaged");
      break;
  }
  storage_ = static_cast<std::byte*>(storage);
  require(cudaMemset(storage_, static_cast<int>(pattern), place == Place::host ? 0 : whole()), "cudaMemset");
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  if (place == Place::host) std::fill_n(storage_, whole(), pattern);
}

Buffer::~Buffer() {
  switch (place_) {
    case Place::device:
    case Place::managed:
      require(cudaFree(storage_), "cudaFree");
      break;
    case Place::pool:
      require(cudaFreeAsync(storage_, nullptr), "cudaFreeAsync");
      break;
    case Place::host:
      std::free(storage_);
      break;
    case Place::pinned:
      require(cudaFreeHost(storage_), "cudaFreeHost");
      break;
  }
}

void Buffer::write(const std::vector<std::byte>& bytes) { copy_bytes(data(), bytes.data(), bytes.size()); }

std::vector<std::byte> Buffer::read() const {
  std::vector<std::byte> result(bytes_);
  copy_bytes(result.data(), data(), bytes_);
  return result;
}

bool Buffer::guards_intact() const {
  const std::size_t before = guard + offset_;
  std::vector<std::byte> guards(before + guard);
  copy_bytes(guards.data(), storage_, before);
  copy_bytes(guards.data() + before, data() + bytes_, guard);
  return std::all_of(guards.begin(), guards.end(), [](std::byte byte) { return byte == pattern; });
}

}  // namespace airamp::gpu_tests
