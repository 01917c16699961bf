// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "codec/codec.hpp"

#include <algorithm>
#include <cstdint>

#include "gpu/device/kernel_limits.hpp"
#include "gpu/runtime/kernels.hpp"
#include "gpu/runtime/launch/launch.hpp"
#include "gpu/runtime/launch/ring.hpp"

namespace airamp::gpu::runtime {
namespace {

/// With the number of rows in its arguments.
bool start_rows(Queue& queue, const void* kernel, device::CodecArguments& a, Error& error) {
  constexpr std::uint64_t max_blocks_per_multiprocessor = 8;
  const std::uint64_t most =
      static_cast<std::uint64_t>(queue.device->multiprocessors) * max_blocks_per_multiprocessor * device::codec_warps;
  return start_kernel(queue, kernel, spread(std::min(a.rows, most), queue.device->multiprocessors, device::codec_warps),
                      a, error);
}

bool start_codec(Queue& queue, const void* kernel, WireFormat format, device::CodecArguments& a, Error& error) {
  if (!order_if_nobody_has(&queue, error)) return false;
  a.rows = codec::wire_rows(format, a.elements);
  return start_rows(queue, kernel, a, error);
}

}  // namespace

bool encode(Queue* queue, WireFormat format, ElementType type, const void* input, std::size_t elements, std::byte* wire,
            Error& error) noexcept {
  device::CodecArguments a;
  a.input = static_cast<const std::byte*>(input);
  a.result = wire;
  a.elements = elements;
  a.aligned = is_aligned(input);
  return start_codec(*queue, encode_kernel(format, type), format, a, error);
}

bool decode(Queue* queue, WireFormat format, ElementType type, const std::byte* wire, std::size_t elements,
            void* output, Error& error) noexcept {
  device::CodecArguments a;
  a.wire[0] = wire;
  a.output = static_cast<std::byte*>(output);
  a.elements = elements;
  a.aligned = is_aligned(output);
  return start_codec(*queue, decode_kernel(format, type), format, a, error);
}

bool reduce(Queue* queue, WireFormat format, ElementType type, const std::byte* const* wires, std::size_t count,
            std::size_t elements, ReduceOp op, std::byte* result, Error& error) noexcept {
  if (count < 1 || count > static_cast<std::size_t>(max_peers) || op == ReduceOp::prod)
    return refuse("no codec reduces so many wires so", error);
  device::CodecArguments a;
  std::copy_n(wires, count, a.wire);
  a.result = result;
  a.elements = elements;
  a.count = static_cast<int>(count);
  a.op = op;
  return start_codec(*queue, reduce_wires_kernel(format, type), format, a, error);
}

bool reduce_vectors(Queue* queue, DataType type, const std::byte* const* vectors, std::size_t count,
                    std::size_t elements, ReduceOp op, std::byte* result, Error& error) noexcept {
  const void* kernel = reduce_vectors_kernel(type);
  if (count < 1 || count > static_cast<std::size_t>(max_peers) || kernel == nullptr)
    return refuse("no kernel reduces so many vectors of this type", error);
  device::CodecArguments a;
  std::copy_n(vectors, count, a.wire);
  a.result = result;
  a.rows = quotient_up(elements * size_of(type), codec::wire_row_bytes);
  a.count = static_cast<int>(count);
  a.op = op;
  return start_rows(*queue, kernel, a, error);
}

}  // namespace airamp::gpu::runtime
