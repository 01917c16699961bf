// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/backend.hpp"

namespace airamp::gpu::runtime {

bool launch(Queue* queue, const PeerCollective& collective, Error& error) noexcept;

bool encode(Queue* queue, WireFormat format, ElementType type, const void* input, std::size_t elements, std::byte* wire,
            Error& error) noexcept;
bool decode(Queue* queue, WireFormat format, ElementType type, const std::byte* wire, std::size_t elements,
            void* output, Error& error) noexcept;
bool reduce(Queue* queue, WireFormat format, ElementType type, const std::byte* const* wires, std::size_t count,
            std::size_t elements, ReduceOp op, std::byte* result, Error& error) noexcept;
bool reduce_vectors(Queue* queue, DataType type, const std::byte* const* vectors, std::size_t count,
                    std::size_t elements, ReduceOp op, std::byte* result, Error& error) noexcept;

bool launch_ghost(Queue* queue, Error& error) noexcept;

}  // namespace airamp::gpu::runtime
