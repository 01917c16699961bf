// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>

#include "gpu/runtime/error_text.hpp"
#include "gpu/runtime/kernels.hpp"

namespace airamp::gpu::runtime {
namespace {

constexpr DataType data_types[] = {DataType::float16, DataType::bfloat16, DataType::float32, DataType::float64,
                                   DataType::int32,   DataType::uint32,   DataType::int64,   DataType::uint64};
constexpr ElementType element_types[] = {ElementType::float16, ElementType::bfloat16, ElementType::float32};

bool load(const void* kernel, Error& error) noexcept {
  return kernel == nullptr || succeeded(platform::load_kernel(kernel), "loading a kernel", error);
}

/// For any number of ranks, and for those that some kernels were made for.
constexpr int sizes[] = {0, 2, 4, 8};

bool load_lossless(Error& error) noexcept {
  bool loaded = load(ghost_kernel(), error);
  for (const DataType type : data_types)
    loaded = loaded && load(lossless_reduce_kernel(type), error) && load(one_shot_kernel(type), error) &&
             load(prefix_kernel(type), error) && load(reduce_vectors_kernel(type), error);
  for (const int size : sizes) {
    loaded = loaded && load(exact_gather_kernel(size), error) && load(exact_broadcast_kernel(size), error) &&
             load(exact_alltoall_kernel(size), error);
    for (const DataType type : data_types)
      loaded = loaded && load(float_sum_kernel(size, type), error) && load(integer_sum_kernel(size, type), error) &&
               load(one_block_kernel(size, type), error);
  }
  return loaded;
}

bool load_compressed(WireFormat format, Error& error) noexcept {
  bool loaded = true;
  for (const ElementType type : element_types) {
    loaded = loaded && load(mx_reduce_kernel(format, type), error) && load(mx_broadcast_kernel(format, type), error) &&
             load(encode_kernel(format, type), error) && load(decode_kernel(format, type), error) &&
             load(reduce_wires_kernel(format, type), error);
    for (const int size : sizes)
      loaded =
          loaded && load(mx_sum_kernel(size, format, type), error) && load(mx_gather_kernel(size, format, type), error);
  }
  return loaded;
}

bool prepare(Device& device, const Location& location, Error& error) noexcept {
  if (!device.context.open(location, error)) return false;
  const platform::CurrentContext current(device.context);
  if (!current.check(error)) return false;
  return succeeded(platform::count_multiprocessors(device.multiprocessors), "asking for the GPU's multiprocessors",
                   error) &&
         succeeded(platform::get_identity(device.identity.bytes), "asking which GPU this is", error) &&
         load_lossless(error);
}

}  // namespace

Device* open_device(const Location& location, Error& error) noexcept {
  std::unique_ptr<Device> device(new (std::nothrow) Device);
  if (device == nullptr) {
    describe(error, "opening the GPU", "out of memory");
    return nullptr;
  }
  return prepare(*device, location, error) ? device.release() : nullptr;
}

void close_device(Device* device) noexcept { delete device; }

bool load_compression(Device* device, WireFormat format, Error& error) noexcept {
  const platform::CurrentContext current(device->context);
  return current.check(error) && load_compressed(format, error);
}

std::byte* allocate(Device* device, std::size_t bytes, ExportedMemory& name, Error& error) noexcept {
  // What other processes map is whole pages of this size; nothing else shall share them.
  constexpr std::size_t page = 2u << 20;
  const platform::CurrentContext current(device->context);
  if (!current.check(error)) return nullptr;
  const std::size_t rounded = (bytes + page - 1) / page * page;
  void* memory = nullptr;
  if (!succeeded(platform::allocate_shared(&memory, rounded), "allocating scratch memory on the GPU", error))
    return nullptr;
  platform::MemoryName handle;
  static_assert(sizeof handle == sizeof name.bytes);
  platform::Stream stream = nullptr;
  bool ready = succeeded(platform::export_memory(handle, memory), "exporting scratch memory of the GPU", error) &&
               succeeded(platform::create_stream(stream), "creating a stream", error);
  if (ready) {
    std::memcpy(name.bytes.data(), &handle, sizeof handle);
    ready = fill_with_holes(static_cast<std::byte*>(memory), rounded, stream, error);
    static_cast<void>(platform::destroy_stream(stream));
  }
  if (ready) return static_cast<std::byte*>(memory);
  static_cast<void>(platform::free(memory));
  return nullptr;
}

bool fill_with_holes(std::byte* memory, std::size_t bytes, platform::Stream stream, Error& error) noexcept {
  static constexpr auto holes = [] {
    std::array<std::uint64_t, 8192> words{};
    words.fill(~std::uint64_t{0});
    return words;
  }();
  for (std::size_t done = 0; done < bytes; done += sizeof holes) {
    const std::size_t part = std::min(sizeof holes, bytes - done);
    if (!succeeded(platform::copy(memory + done, holes.data(), part, stream), "filling scratch memory", error))
      return false;
  }
  return succeeded(platform::synchronize(stream), "filling scratch memory", error);
}

Progress default_stream(Device* device, Error& error) noexcept {
  const platform::CurrentContext current(device->context);
  if (!current.check(error)) return Progress::failed;
  const platform::Status state = platform::query_default_stream();
  if (state == platform::success) return Progress::done;
  if (state == platform::not_ready) {
    platform::forget_error();
    return Progress::running;
  }
  succeeded(state, "asking for the application's default stream", error);
  return Progress::failed;
}

void free_memory(Device* device, std::byte* memory) noexcept {
  const platform::CurrentContext current(device->context);
  if (current.is_current()) static_cast<void>(platform::free(memory));
}

std::byte* map(Device* device, const ExportedMemory& name, Error& error) noexcept {
  const platform::CurrentContext current(device->context);
  if (!current.check(error)) return nullptr;
  platform::MemoryName handle;
  std::memcpy(&handle, name.bytes.data(), sizeof handle);
  void* memory = nullptr;
  const bool mapped = succeeded(platform::map_memory(&memory, handle), "mapping another rank's scratch memory", error);
  return mapped ? static_cast<std::byte*>(memory) : nullptr;
}

void unmap(Device* device, std::byte* memory) noexcept {
  const platform::CurrentContext current(device->context);
  if (current.is_current()) static_cast<void>(platform::unmap_memory(memory));
}

std::byte* allocate_host(Device* device, std::size_t bytes, Error& error) noexcept {
  const platform::CurrentContext current(device->context);
  if (!current.check(error)) return nullptr;
  void* memory = nullptr;
  if (!succeeded(platform::allocate_host(&memory, bytes), "allocating pinned host memory", error)) return nullptr;
  return static_cast<std::byte*>(memory);
}

void free_host(Device* device, std::byte* memory) noexcept {
  const platform::CurrentContext current(device->context);
  if (current.is_current()) static_cast<void>(platform::free_host(memory));
}

}  // namespace airamp::gpu::runtime
