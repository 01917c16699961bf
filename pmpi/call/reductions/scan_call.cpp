// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/reductions/scan_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/op_info.hpp"

namespace airamp::pmpi {

Function ScanCall::function() const {
  if (ranks_ == Ranks::including_own) return large_count_ ? Function::MPI_Scan_c : Function::MPI_Scan;
  return large_count_ ? Function::MPI_Exscan_c : Function::MPI_Exscan;
}

std::uint64_t ScanCall::equal_arguments() const { return reduction_arguments(datatype_, op_); }

std::optional<CallArguments> ScanCall::arguments() const {
  return CallArguments{.kind = kind(), .op = op_, .count = count_, .type = datatype_};
}

bool ScanCall::gets_result() const { return ranks_ == Ranks::including_own || rank_in(comm_) > 0; }

Buffers ScanCall::buffers() const { return {input(), gets_result() ? recvbuf_ : input()}; }

LocalFacts ScanCall::facts(Wish wish) const {
  LocalFacts facts = facts_of_reduction(datatype_, op_, wish);
  facts.undecided = facts.undecided && wish.on_gpu;
  return facts;
}

void ScanCall::try_operation(const Operands& operands) const { try_user_op(op_, datatype_, operands); }

int ScanCall::run_with_copies() const {
  const Buffers used = buffers();
  if (!need_copies(used.input, used.output)) return run_library(sendbuf_, recvbuf_);
  const Span span = span_of(datatype_, 0, count_);
  const bool in_place = sendbuf_ == MPI_IN_PLACE;
  return run_on_host(
      comm_, {sendbuf_, in_place ? Span{} : span, true},
      {recvbuf_, gets_result() || in_place ? span : Span{}, in_place},
      [this] { return gets_result() ? rows_of(datatype_, 0, count_) : std::vector<Rows>{}; },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

CollectiveData ScanCall::data(const LocalFacts& facts) const {
  const bool gets = gets_result();
  return {.input = input(),
          .output = gets ? recvbuf_ : nullptr,
          .elements = static_cast<std::size_t>(count_) * facts.parts,
          .blocks = {},
          .sent = {},
          .outputs = gets ? 1U : 0U};
}

}  // namespace airamp::pmpi
