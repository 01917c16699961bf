// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The kernels of the plugin by what they do. Every function gives the kernel's host symbol, to be launched, or
// nullptr if there is none. They are spread over several files so that these are compiled at the same time.
#pragma once

#include "core/data_type.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

namespace airamp::gpu::runtime {

/// Sums of block-scaled float16 and bfloat16 among 2, 4 or 8 ranks.
const void* mx_sum_kernel(int size, WireFormat format, ElementType type);
/// Lossless sums of floating-point types among 2, 4 or 8 ranks.
const void* float_sum_kernel(int size, DataType type);
/// Sums of integers among 2, 4 or 8 ranks.
const void* integer_sum_kernel(int size, DataType type);
/// Any operation, any number of ranks.
const void* mx_reduce_kernel(WireFormat format, ElementType type);
const void* lossless_reduce_kernel(DataType type);
const void* one_shot_kernel(DataType type);
/// An allreduce in a single block; those among 2 and 4 ranks are kernels of their own.
const void* one_block_kernel(int size, DataType type);
const void* prefix_kernel(DataType type);
/// Movement; without loss its unit is a byte. `size` 0: any number of ranks.
const void* mx_gather_kernel(int size, WireFormat format, ElementType type);
const void* exact_gather_kernel(int size);
const void* exact_alltoall_kernel(int size);
const void* exact_broadcast_kernel(int size);
/// Any number of ranks.
const void* mx_broadcast_kernel(WireFormat format, ElementType type);
/// The codecs on their own.
const void* encode_kernel(WireFormat format, ElementType type);
const void* decode_kernel(WireFormat format, ElementType type);
const void* reduce_wires_kernel(WireFormat format, ElementType type);
/// The same of vectors as they are.
const void* reduce_vectors_kernel(DataType type);
/// Does nothing, in a block of one warp.
const void* ghost_kernel();

}  // namespace airamp::gpu::runtime
