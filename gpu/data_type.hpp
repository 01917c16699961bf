// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"

namespace airamp::gpu {

using airamp::DataType;
using airamp::ReduceOp;
using airamp::size_of;

}  // namespace airamp::gpu
