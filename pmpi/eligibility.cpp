// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/eligibility.hpp"

#include "pmpi/datatype_info.hpp"
#include "pmpi/job.hpp"
#include "pmpi/op_info.hpp"

namespace airamp::pmpi {
namespace {

bool lossy_allowed(gpu::ElementType element) {
  switch (element) {
    case gpu::ElementType::float16:
      return (job().settings.lossy_types & config::lossy_float16) != 0;
    case gpu::ElementType::bfloat16:
      return (job().settings.lossy_types & config::lossy_bfloat16) != 0;
    case gpu::ElementType::float32:
      return (job().settings.lossy_types & config::lossy_float32) != 0;
  }
  return false;
}

View refused(std::string_view element, std::string_view why) { return {.element_name = element, .why = why}; }

View accepted(gpu::ElementType element) {
  const std::string_view name = gpu::to_string(element);
  if (!lossy_allowed(element)) return refused(name, "lossy_types does not include this element type");
  return {.eligible = true, .element = element, .element_name = name};
}

View with_op(View view, gpu::ReduceOp op) {
  view.op = op;
  view.op_name = to_string(op);
  return view;
}

View view_of_predefined_reduction(const DatatypeInfo& info, MPI_Op op) {
  if (!info.predefined || !info.element) {
    return refused(info.name, "not a floating-point type that AIRamp compresses");
  }
  const auto reduction = predefined_op(op);
  if (!reduction) return refused(info.name, "not a sum, maximum or minimum");
  return with_op(accepted(*info.element), *reduction);
}

}  // namespace

View view_of_reduction(MPI_Datatype datatype, MPI_Op op) {
  const DatatypeInfo info = datatype_info(datatype);
  if (is_predefined_op(op)) return view_of_predefined_reduction(info, op);
  if (info.size != 2 || !info.contiguous_element) return refused(info.name, "a user-defined operation on this type");
  const auto reduction = user_op(op, datatype);
  if (!reduction) return refused(info.name, "the user-defined operation is no half-precision sum, maximum or minimum");
  if (info.element && *info.element != reduction->element) {
    return refused(info.name, "the type was declared as another format than its operation works on");
  }
  learn_element(datatype, reduction->element);
  return with_op(accepted(reduction->element), reduction->op);
}

View view_of_movement(MPI_Datatype datatype) {
  const DatatypeInfo info = datatype_info(datatype);
  if (!info.element || !info.contiguous_element) {
    return refused(info.name, "not known to be a floating-point type that AIRamp compresses");
  }
  return accepted(*info.element);
}

const gpu::Codec& job_codec(gpu::ElementType element) {
  switch (job().settings.codec) {
    case config::CodecName::mxfp8_e5m2:
      return gpu::host_codec(gpu::WireFormat::mxfp8_e5m2, element);
    case config::CodecName::mxint8:
      return gpu::host_codec(gpu::WireFormat::mxint8, element);
    case config::CodecName::mxfp8_e4m3:
      break;
  }
  return gpu::host_codec(gpu::WireFormat::mxfp8_e4m3, element);
}

}  // namespace airamp::pmpi
