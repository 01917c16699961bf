// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/half_operation.hpp"

#include <array>

#include "gpu/host/lossless_reduce.hpp"
#include "pmpi/types/float16_sum.hpp"

namespace airamp::pmpi {
namespace {

/// What MPI calls. The functions tell apart by their template arguments what MPI gives them no word for.
template <gpu::DataType type, gpu::ReduceOp op>
void reduce(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* const input = static_cast<const std::byte*>(in);
  auto* const result = static_cast<std::byte*>(inout);
  const auto elements = static_cast<std::size_t>(*length);
  if constexpr (type == gpu::DataType::float16 && op == gpu::ReduceOp::sum) {
    add_float16(input, result, elements);
  } else {
    const std::array<const std::byte*, 2> vectors = {input, result};
    gpu::reduce_lossless(type, op, vectors.data(), vectors.size(), elements, result);
  }
}

template <gpu::DataType type>
MPI_User_function* function_of(gpu::ReduceOp op) {
  switch (op) {
    case gpu::ReduceOp::sum:
      return reduce<type, gpu::ReduceOp::sum>;
    case gpu::ReduceOp::max:
      return reduce<type, gpu::ReduceOp::max>;
    case gpu::ReduceOp::min:
      return reduce<type, gpu::ReduceOp::min>;
    case gpu::ReduceOp::prod:
      break;
  }
  return nullptr;
}

}  // namespace

int HalfOperation::create(gpu::DataType type, gpu::ReduceOp op) {
  MPI_User_function* const function = type == gpu::DataType::float16    ? function_of<gpu::DataType::float16>(op)
                                      : type == gpu::DataType::bfloat16 ? function_of<gpu::DataType::bfloat16>(op)
                                                                        : nullptr;
  if (function == nullptr) return MPI_ERR_OP;
  constexpr int commutes = 1;
  const int error = native().MPI_Op_create(function, commutes, &op_);
  if (error != MPI_SUCCESS) op_ = MPI_OP_NULL;
  return error;
}

}  // namespace airamp::pmpi
