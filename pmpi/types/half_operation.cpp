// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/half_operation.hpp"

#include <array>

#include "codec/lossless_reduce.hpp"
#include "pmpi/types/float16_sum.hpp"

namespace airamp::pmpi {
namespace {

/// What MPI calls. The functions tell apart by their template arguments what MPI gives them no word for.
template <DataType type, ReduceOp op>
void reduce(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* const input = static_cast<const std::byte*>(in);
  auto* const result = static_cast<std::byte*>(inout);
  const auto elements = static_cast<std::size_t>(*length);
  if constexpr (type == DataType::float16 && op == ReduceOp::sum) {
    add_float16(input, result, elements);
  } else {
    const std::array<const std::byte*, 2> vectors = {input, result};
    codec::reduce_lossless(type, op, vectors.data(), vectors.size(), elements, result);
  }
}

template <DataType type>
MPI_User_function* function_of(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return reduce<type, ReduceOp::sum>;
    case ReduceOp::max:
      return reduce<type, ReduceOp::max>;
    case ReduceOp::min:
      return reduce<type, ReduceOp::min>;
    default:
      break;
  }
  return nullptr;
}

}  // namespace

int HalfOperation::create(DataType type, ReduceOp op) {
  MPI_User_function* const function = type == DataType::float16    ? function_of<DataType::float16>(op)
                                      : type == DataType::bfloat16 ? function_of<DataType::bfloat16>(op)
                                                                   : nullptr;
  if (function == nullptr) return MPI_ERR_OP;
  constexpr int commutes = 1;
  const int error = native().MPI_Op_create(function, commutes, &op_);
  if (error != MPI_SUCCESS) op_ = MPI_OP_NULL;
  return error;
}

}  // namespace airamp::pmpi
