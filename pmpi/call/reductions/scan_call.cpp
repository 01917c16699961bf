// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/reductions/scan_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"

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
  facts.undecided = false;  // user-defined operations are not tried for it
  return facts;
}

int ScanCall::run_native() const {
  const bool inclusive = ranks_ == Ranks::including_own;
  if (!large_count_) {
    const auto scan = inclusive ? native().MPI_Scan : native().MPI_Exscan;
    return scan(sendbuf_, recvbuf_, static_cast<int>(count_), datatype_, op_, comm_);
  }
  const auto scan = inclusive ? native().MPI_Scan_c : native().MPI_Exscan_c;
  if (scan == nullptr) return missing_function(inclusive ? "MPI_Scan_c" : "MPI_Exscan_c", comm_);
  return scan(sendbuf_, recvbuf_, count_, datatype_, op_, comm_);
}

CollectiveData ScanCall::data(const LocalFacts& /*facts*/) const {
  const bool gets = gets_result();
  return {.input = input(),
          .output = gets ? recvbuf_ : nullptr,
          .elements = static_cast<std::size_t>(count_),
          .blocks = {},
          .sent = {},
          .outputs = gets ? 1U : 0U};
}

}  // namespace airamp::pmpi
