// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/op_info.hpp"

#include <algorithm>
#include <cfenv>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

/// What is known of one operation. It may look at the datatype that it is called with, so what it does with one type
/// says nothing of another.
struct KnownOp {
  std::optional<HalfReduction> declared;
  std::map<MPI_Datatype, std::optional<HalfReduction>> tried;
};

// MPI operations carry no attributes, so what is known of them is kept here, from first sight to MPI_Op_free.
std::mutex mutex;
auto& known_ops = *new std::map<MPI_Op, KnownOp>;  // never destroyed: exit handlers may free ops

/// While alive the calling thread does not trap; afterwards it has its traps and exception flags again. Its rounding
/// mode stays: what an operation makes of a sum that overflows depends on it.
class WithoutTraps {
 public:
  WithoutTraps() { std::feholdexcept(&saved_); }
  ~WithoutTraps() { std::fesetenv(&saved_); }
  WithoutTraps(const WithoutTraps&) = delete;
  WithoutTraps& operator=(const WithoutTraps&) = delete;

 private:
  std::fenv_t saved_;
};

/// What MPI makes of two vectors; empty if it fails.
std::vector<std::uint16_t> apply(MPI_Op op, MPI_Datatype type, Operands operands) {
  const std::size_t elements = operands.in.size();
  // an operation that takes its elements for wider ones must not reach anything of ours
  const std::size_t room = std::max<std::size_t>(4096, 8 * elements);
  operands.in.resize(room);
  operands.inout.resize(room);
  const WithoutTraps without_traps;
  if (native().Reduce_local(operands.in.data(), operands.inout.data(), static_cast<int>(elements), type, op) !=
      MPI_SUCCESS) {
    return {};
  }
  operands.inout.resize(elements);
  return std::move(operands.inout);
}

/// Which reduction of halves an operation is that makes what one of them makes.
std::optional<HalfReduction> tell_apart(MPI_Op op, MPI_Datatype type) {
  const ProbeVectors vectors = probe_vectors();
  const std::vector<std::uint16_t> made =
      apply(op, type, {{vectors.in.begin(), vectors.in.end()}, {vectors.inout.begin(), vectors.inout.end()}});
  if (made.empty()) return std::nullopt;
  std::array<std::uint16_t, ProbeVectors::length> result{};
  std::copy_n(made.begin(), result.size(), result.begin());
  return recognise(result);
}

void log_recognised(HalfReduction reduction) {
  telemetry::log(config::LogLevel::info, std::string("a user-defined operation was recognised as ") +
                                             (reduction.element == ElementType::float16 ? "float16 " : "bfloat16 ") +
                                             std::string(to_string(reduction.op)));
}

}  // namespace

std::optional<ReduceOp> predefined_op(MPI_Op op) noexcept {
  if (op == MPI_SUM) return ReduceOp::sum;
  if (op == MPI_MAX) return ReduceOp::max;
  if (op == MPI_MIN) return ReduceOp::min;
  if (op == MPI_PROD) return ReduceOp::prod;
  if (op == MPI_LAND) return ReduceOp::land;
  if (op == MPI_LOR) return ReduceOp::lor;
  if (op == MPI_LXOR) return ReduceOp::lxor;
  if (op == MPI_BAND) return ReduceOp::band;
  if (op == MPI_BOR) return ReduceOp::bor;
  if (op == MPI_BXOR) return ReduceOp::bxor;
  if (op == MPI_MAXLOC) return ReduceOp::maxloc;
  if (op == MPI_MINLOC) return ReduceOp::minloc;
  return std::nullopt;
}

bool is_predefined_op(MPI_Op op) noexcept {
  return predefined_op(op).has_value() || op == MPI_REPLACE || op == MPI_NO_OP || op == MPI_OP_NULL;
}

UserOp user_op(MPI_Op op, MPI_Datatype type) {
  {
    const std::lock_guard lock(mutex);
    if (const auto known = known_ops.find(op); known != known_ops.end()) {
      if (known->second.declared) return {true, known->second.declared};
      const auto& tried = known->second.tried;
      if (const auto verdict = tried.find(type); verdict != tried.end()) return {true, verdict->second};
    }
  }
  return {.known = !library_accepts(type, op), .reduction = {}};  // not for ever: a type may be committed later
}

void try_user_op(MPI_Op op, MPI_Datatype type, const Operands& operands) {
  if (user_op(op, type).known) return;
  const std::vector<std::uint16_t> made = apply(op, type, operands);  // outside the lock: the application's code
  const Evidence evidence = made.size() == operands.in.size() ? judge(operands, made) : Evidence::other;
  if (evidence == Evidence::too_little) return;
  std::optional<HalfReduction> reduction;
  if (evidence == Evidence::half) reduction = tell_apart(op, type);
  if (reduction) log_recognised(*reduction);
  const std::lock_guard lock(mutex);
  known_ops[op].tried.emplace(type, reduction);
}

void declare_op(MPI_Op op, HalfReduction reduction) {
  const std::lock_guard lock(mutex);
  known_ops[op].declared = reduction;
}

void forget_op(MPI_Op op) noexcept {
  const std::lock_guard lock(mutex);
  known_ops.erase(op);
}

void forget_type_of_ops(MPI_Datatype type) noexcept {
  const std::lock_guard lock(mutex);
  for (auto& [op, known] : known_ops) known.tried.erase(type);
}

}  // namespace airamp::pmpi
