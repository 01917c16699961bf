// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The plugin's functions for wire rows (gpu/backend.hpp). They end the process where a GPU would not reach the memory.
#pragma once

#include <cstddef>

#include "gpu/backend.hpp"

namespace airamp::fake_gpu {

/// Ends the process if the kernels that compress to `format` were not loaded: a GPU's driver would load them now, and
/// wait for the kernels that run.
void demand_loaded(const gpu::Device& device, WireFormat format);

}  // namespace airamp::fake_gpu

namespace airamp::gpu {

bool encode(Queue* queue, WireFormat format, ElementType type, const void* input, std::size_t elements, std::byte* wire,
            Error& error);
bool decode(Queue* queue, WireFormat format, ElementType type, const std::byte* wire, std::size_t elements,
            void* output, Error& error);
bool reduce(Queue* queue, WireFormat format, ElementType type, const std::byte* const* wires, std::size_t count,
            std::size_t elements, ReduceOp op, std::byte* result, Error& error);
bool reduce_vectors(Queue* queue, DataType type, const std::byte* const* vectors, std::size_t count,
                    std::size_t elements, ReduceOp op, std::byte* result, Error& error);

}  // namespace airamp::gpu
