// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string_view>

#include "pmpi/job/job.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/op_info.hpp"
#include "pmpi/version.hpp"

using namespace airamp;

#define AIRAMP_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

std::optional<ElementType> format_of(const char* name) {
  if (name == nullptr) return std::nullopt;
  if (std::string_view(name) == "float16") return ElementType::float16;
  if (std::string_view(name) == "bfloat16") return ElementType::bfloat16;
  return std::nullopt;
}

std::optional<ReduceOp> op_of(const char* name) {
  if (name == nullptr) return std::nullopt;
  for (ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) {
    if (to_string(op) == name) return op;
  }
  return std::nullopt;
}

}  // namespace

AIRAMP_EXPORT const char* airamp_version() { return pmpi::release_version; }

AIRAMP_EXPORT int airamp_declare_type(MPI_Datatype datatype, const char* format) {
  const auto element = format_of(format);
  if (!element) return MPI_ERR_ARG;
  if (!pmpi::job().on.load()) return MPI_SUCCESS;
  const pmpi::DatatypeInfo info = pmpi::datatype_info(datatype);
  if (info.predefined || info.size != 2 || !info.contiguous_element) return MPI_ERR_TYPE;
  pmpi::declare_element(datatype, *element);
  return MPI_SUCCESS;
}

AIRAMP_EXPORT int airamp_declare_op(MPI_Op operation, const char* format, const char* op) {
  const auto element = format_of(format);
  const auto reduction = op_of(op);
  if (!element || !reduction || pmpi::is_predefined_op(operation)) return MPI_ERR_ARG;
  if (pmpi::job().on.load()) pmpi::declare_op(operation, {*element, *reduction});
  return MPI_SUCCESS;
}
