// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/started/started_forms.hpp"

#include <algorithm>

#include "base/asked_by_every_call.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/op_info.hpp"
#include "pmpi/types/predefined_datatypes.hpp"

namespace airamp::pmpi {

AIRAMP_ASKED_BY_EVERY_CALL std::atomic<int> StartedForms::due_communicators{0};

namespace {

/// By what this rank gave before: what MPI wants equal takes longer to find.
bool is_as_before(const StartArguments& a, const StartArguments& b) {
  return a.kind == b.kind && a.count == b.count && a.type == b.type && a.op == b.op;
}

/// Whether all ranks find it the same number and operation: nothing that MPI wants equal on all of them tells apart the
/// types of a program's own operations, nor those that AIRamp knows by a name that the program gave them.
bool may_be_reduced(const StartArguments& arguments) {
  const DatatypeInfo* const predefined = find_predefined_datatype(arguments.type);
  return predefined != nullptr && predefined->number.has_value() && is_predefined_op(arguments.op) &&
         facts_of_reduction(arguments.type, arguments.op, {.lossless = true}).lossless;
}

}  // namespace

StartedForm* StartedForms::find_or_add(const StartArguments& arguments, std::uint64_t bytes) {
  const auto is_latest = [&](const StartedForm& form) { return is_as_before(form.latest, arguments); };
  if (latest_ < count_ && is_latest(forms_[latest_])) return &forms_[latest_];
  StartedForm* form = std::find_if(begin(), end(), is_latest);
  if (form == end()) {
    const bool reduction = reduces(arguments.kind);
    const std::uint64_t equal = reduction ? reduction_arguments(arguments.type, arguments.op) : 0;
    const bool eligible = !reduction || may_be_reduced(arguments);
    form = std::find_if(begin(), end(), [&](const StartedForm& other) {
      return other.latest.kind == arguments.kind && other.bytes == bytes && other.equal_arguments == equal &&
             other.eligible == eligible;
    });
    if (form == end()) {
      if (count_ == most) return nullptr;
      ++count_;
      *form = {.bytes = bytes, .equal_arguments = equal, .eligible = eligible};
    }
    form->latest = arguments;
  }
  latest_ = static_cast<std::size_t>(form - begin());
  return form;
}

void StartedForms::forget_gpus() {
  for (StartedForm& form : *this) {
    if (!form.is_for_gpus() || !form.has_carrier) continue;
    form.has_carrier = form.carried = false;
    form.carrier.reset();
    form.starts.reset();
    form.settled_from = form.calls + 1;
  }
}

void StartedForms::set_due(bool due) {
  if (due == due_) return;
  due_ = due;
  due_communicators.fetch_add(due ? 1 : -1, std::memory_order_relaxed);
}

}  // namespace airamp::pmpi
