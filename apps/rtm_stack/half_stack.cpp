// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "half_stack.hpp"

namespace rtm_stack {
namespace {

extern "C" void rtm_stack_sum_halves(void* addend, void* sum, int* count, MPI_Datatype* /*type*/) {
  add_halves(static_cast<const Half*>(addend), static_cast<Half*>(sum), static_cast<std::size_t>(*count));
}

}  // namespace

HalfStack::HalfStack() {
  MPI_Type_contiguous(sizeof(Half), MPI_BYTE, &type_);
  MPI_Type_commit(&type_);
  MPI_Op_create(&rtm_stack_sum_halves, 1, &sum_);
}

HalfStack::~HalfStack() {
  MPI_Op_free(&sum_);
  MPI_Type_free(&type_);
}

void HalfStack::allreduce(const void* contribution, void* sum, std::size_t count, MPI_Comm communicator) const {
  MPI_Allreduce(contribution, sum, static_cast<int>(count), type_, sum_, communicator);
}

}  // namespace rtm_stack
