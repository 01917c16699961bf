// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/codec_launch.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "codec/codec.hpp"
#include "mpitests/fake_gpu/backend_objects.hpp"
#include "mpitests/fake_gpu/failure.hpp"
#include "mpitests/fake_gpu/host_address.hpp"
#include "mpitests/fake_gpu/pinned.hpp"
#include "mpitests/fake_gpu/wire.hpp"

namespace airamp::fake_gpu {

void demand_loaded(const gpu::Device& device, WireFormat format) {
  if (!device.loaded[static_cast<std::size_t>(format)]) end("a kernel that was not loaded");
}

}  // namespace airamp::fake_gpu

namespace airamp::gpu {
namespace {

using fake_gpu::end;
using fake_gpu::fails;
using fake_gpu::on_host;

void demand_elements(const Queue* queue, const void* buffer, std::size_t elements, ElementType type) {
  if (elements == 0) return;
  if (!fake_gpu_reaches(queue->device->context, buffer, elements * size_of(type)))
    end("a buffer that the GPU does not reach");
  if (reinterpret_cast<std::uintptr_t>(buffer) % size_of(type) != 0) end("a misaligned address");
}

void demand_rows(const Queue* queue, WireFormat format, const void* wire, std::size_t elements) {
  const std::size_t bytes = codec::wire_rows(format, elements) * codec::wire_row_bytes;
  if (!fake_gpu::is_pinned(wire, bytes) && !fake_gpu_reaches(queue->device->context, wire, bytes))
    end("wire rows that the GPU does not reach");
}

/// As late as a GPU may be: whoever does not wait for it sees nothing of it.
void start(Queue* queue, std::function<void()> codec) {
  if (queue->running != nullptr || queue->codec) end("two launches at a time on a queue");
  queue->codec = std::move(codec);
  queue->codec_steps = 3;
  queue->waits_for_room = false;
}

void start_codec(Queue* queue, WireFormat format, std::function<void()> codec) {
  fake_gpu::demand_loaded(*queue->device, format);
  start(queue, std::move(codec));
}

}  // namespace

bool encode(Queue* queue, WireFormat format, ElementType type, const void* input, std::size_t elements, std::byte* wire,
            Error& error) {
  if (fails("encode", error)) return false;
  demand_elements(queue, input, elements, type);
  demand_rows(queue, format, wire, elements);
  start_codec(queue, format, [=] { codec::host_codec(format, type).encode(on_host(input), elements, on_host(wire)); });
  return true;
}

bool decode(Queue* queue, WireFormat format, ElementType type, const std::byte* wire, std::size_t elements,
            void* output, Error& error) {
  if (fails("decode", error)) return false;
  demand_elements(queue, output, elements, type);
  demand_rows(queue, format, wire, elements);
  start_codec(queue, format, [=] { codec::host_codec(format, type).decode(on_host(wire), elements, on_host(output)); });
  return true;
}

bool reduce(Queue* queue, WireFormat format, ElementType type, const std::byte* const* wires, std::size_t count,
            std::size_t elements, ReduceOp op, std::byte* result, Error& /*error*/) {
  std::vector<const std::byte*> on_hosts;
  for (std::size_t i = 0; i < count; ++i) {
    demand_rows(queue, format, wires[i], elements);
    on_hosts.push_back(on_host(wires[i]));
  }
  demand_rows(queue, format, result, elements);
  start_codec(queue, format, [=] {
    codec::host_codec(format, type).reduce(on_hosts.data(), on_hosts.size(), elements, op, on_host(result));
  });
  return true;
}

bool reduce_vectors(Queue* queue, DataType type, const std::byte* const* vectors, std::size_t count,
                    std::size_t elements, ReduceOp op, std::byte* result, Error& error) {
  if (fails("reduce_vectors", error)) return false;
  if (reinterpret_cast<std::uintptr_t>(result) % 512 != 0) end("a misaligned result");
  const std::vector<const std::byte*> all(vectors, vectors + count);
  start(queue, [=] {
    fake_gpu::Wire(std::nullopt, type, op).reduce(all.data(), static_cast<int>(all.size()), elements, result);
  });
  queue->waits_for_room = true;
  return true;
}

}  // namespace airamp::gpu
