// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/op_info.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "pmpi/native.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

// MPI operations carry no attributes, so what is known of them is kept here, from first sight to MPI_Op_free.
std::mutex mutex;
auto& known_ops = *new std::map<MPI_Op, std::optional<HalfReduction>>;  // never destroyed: exit handlers may free ops

std::optional<HalfReduction> probe(MPI_Op op, MPI_Datatype type) {
  const ProbeVectors vectors = probe_vectors();
  // an operation that takes its elements for wider ones must not reach anything of ours
  constexpr std::size_t room = 4096;
  std::vector<std::uint16_t> in(room);
  std::vector<std::uint16_t> inout(room);
  std::copy(vectors.in.begin(), vectors.in.end(), in.begin());
  std::copy(vectors.inout.begin(), vectors.inout.end(), inout.begin());
  if (native().Reduce_local(in.data(), inout.data(), ProbeVectors::length, type, op) != MPI_SUCCESS) return {};
  std::array<std::uint16_t, ProbeVectors::length> result{};
  std::copy_n(inout.begin(), result.size(), result.begin());
  return recognise(result);
}

}  // namespace

std::string_view to_string(gpu::ReduceOp op) noexcept {
  switch (op) {
    case gpu::ReduceOp::sum:
      return "sum";
    case gpu::ReduceOp::max:
      return "max";
    case gpu::ReduceOp::min:
      return "min";
    case gpu::ReduceOp::prod:
      return "prod";
  }
  return "";
}

std::optional<gpu::ReduceOp> predefined_op(MPI_Op op) noexcept {
  if (op == MPI_SUM) return gpu::ReduceOp::sum;
  if (op == MPI_MAX) return gpu::ReduceOp::max;
  if (op == MPI_MIN) return gpu::ReduceOp::min;
  if (op == MPI_PROD) return gpu::ReduceOp::prod;
  return std::nullopt;
}

bool is_predefined_op(MPI_Op op) noexcept {
  for (MPI_Op predefined : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR,
                            MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP, MPI_OP_NULL}) {
    if (op == predefined) return true;
  }
  return false;
}

std::optional<HalfReduction> user_op(MPI_Op op, MPI_Datatype type) {
  {
    const std::lock_guard lock(mutex);
    if (const auto known = known_ops.find(op); known != known_ops.end()) return known->second;
  }
  const std::optional<HalfReduction> reduction = probe(op, type);  // outside the lock: it runs the application's code
  if (reduction) {
    telemetry::log(config::LogLevel::info,
                   std::string("a user-defined operation was recognised as ") +
                       (reduction->element == gpu::ElementType::float16 ? "float16 " : "bfloat16 ") +
                       std::string(to_string(reduction->op)));
  }
  const std::lock_guard lock(mutex);
  return known_ops.emplace(op, reduction).first->second;
}

void declare_op(MPI_Op op, HalfReduction reduction) {
  const std::lock_guard lock(mutex);
  known_ops[op] = reduction;
}

void forget_op(MPI_Op op) noexcept {
  const std::lock_guard lock(mutex);
  known_ops.erase(op);
}

}  // namespace airamp::pmpi
