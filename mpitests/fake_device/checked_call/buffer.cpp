// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_device/checked_call/buffer.hpp"

#include <algorithm>
#include <cstdlib>

#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::device_tests {
namespace {

std::byte* allocate(Place place, std::size_t bytes) {
  using fake_gpu::Kind;
  void* memory = nullptr;
  switch (place) {
    case Place::host:
      memory = std::malloc(bytes);
      break;
    case Place::device:
      memory = fake_gpu_allocate(bytes, Kind::device);
      break;
    case Place::managed:
      memory = fake_gpu_allocate(bytes, Kind::managed);
      break;
    case Place::other_context:
      memory = fake_gpu_allocate(bytes, Kind::other_context);
      break;
    case Place::virtual_mapping:
      memory = fake_gpu_allocate(bytes, Kind::virtual_mapping);
      break;
    case Place::registered:
      memory = fake_gpu_allocate(bytes, Kind::registered);
      break;
  }
  require(memory != nullptr, "memory for a buffer");
  return static_cast<std::byte*>(memory);
}

bool is_pattern(std::byte byte) { return byte == Buffer::pattern; }

}  // namespace

Buffer::Buffer(Place place, std::size_t bytes, std::size_t offset)
    : place_(place),
      bytes_(bytes),
      offset_(offset),
      storage_(allocate(place, bytes + offset + 2 * guard)),
      host_(static_cast<std::byte*>(fake_gpu_host_address(storage_))) {
  std::fill_n(host_, bytes + offset + 2 * guard, pattern);
}

Buffer::~Buffer() {
  if (place_ == Place::host) {
    std::free(storage_);
  } else {
    fake_gpu_free(storage_);
  }
}

bool Buffer::guards_intact() const {
  return std::all_of(host_, host(), is_pattern) && std::all_of(host() + bytes_, host() + bytes_ + guard, is_pattern);
}

}  // namespace airamp::device_tests
