// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/rooted_movement.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

std::uint64_t RootedMovement::Side::bytes() const { return payload_bytes(count, type); }

bool RootedMovement::is_root() const { return rank_in(arguments_.comm) == arguments_.root; }

std::uint64_t RootedMovement::bytes() const {
  if (arguments_.root < 0) return 0;  // between groups, where some ranks have no data, or the MPI library's error
  return (is_root() ? all() : own()).bytes();
}

Buffers RootedMovement::buffers() const {
  if (!is_root()) return {own().buffer, own().buffer};
  return {all().buffer, in_place() ? all().buffer : own().buffer};
}

LocalFacts RootedMovement::facts(Wish wish) const {
  const bool root = is_root();
  LocalFacts facts = facts_of_movement((root ? all() : own()).type, wish);
  facts.type = DataType::byte;  // ranks may describe the same bytes by different types
  if (arguments_.root >= ranks_in(arguments_.comm) || (!root && in_place())) {
    facts.not_as_it_is(Reason::no_such_root);  // the MPI library's error
  }
  if (bytes() == 0) facts.not_as_it_is(Reason::no_data);
  if (!root || in_place()) return facts;
  facts.lossless = facts.lossless && facts_of_movement(own().type, wish).lossless;
  if (own().bytes() != all().bytes()) facts.not_as_it_is(Reason::different_lengths);  // the MPI library's error
  return facts;
}

int RootedGatherCall::run_native() const {
  const RootedArguments& a = arguments_;
  if (a.large_count && native().MPI_Gather_c != nullptr) {
    return native().MPI_Gather_c(a.sendbuf, a.sendcount, a.sendtype, a.recvbuf, a.recvcount, a.recvtype, a.root,
                                 a.comm);
  }
  if (!fits_int(a.sendcount) || !fits_int(a.recvcount)) return missing_function("MPI_Gather_c", a.comm);
  return native().MPI_Gather(a.sendbuf, static_cast<int>(a.sendcount), a.sendtype, a.recvbuf,
                             static_cast<int>(a.recvcount), a.recvtype, a.root, a.comm);
}

CollectiveData RootedGatherCall::data(const LocalFacts& /*facts*/) const {
  const bool root = is_root();
  const std::size_t block = bytes();
  const void* input = arguments_.sendbuf;
  if (root && in_place()) {
    input = static_cast<const std::byte*>(arguments_.recvbuf) + static_cast<std::size_t>(arguments_.root) * block;
  }
  return {.input = input,
          .output = root ? arguments_.recvbuf : nullptr,
          .elements = block,
          .blocks = {},
          .root = arguments_.root,
          .outputs = root ? static_cast<std::size_t>(ranks_in(arguments_.comm)) : 0U};
}

int ScatterCall::run_native() const {
  const RootedArguments& a = arguments_;
  if (a.large_count && native().MPI_Scatter_c != nullptr) {
    return native().MPI_Scatter_c(a.sendbuf, a.sendcount, a.sendtype, a.recvbuf, a.recvcount, a.recvtype, a.root,
                                  a.comm);
  }
  if (!fits_int(a.sendcount) || !fits_int(a.recvcount)) return missing_function("MPI_Scatter_c", a.comm);
  return native().MPI_Scatter(a.sendbuf, static_cast<int>(a.sendcount), a.sendtype, a.recvbuf,
                              static_cast<int>(a.recvcount), a.recvtype, a.root, a.comm);
}

CollectiveData ScatterCall::data(const LocalFacts& /*facts*/) const {
  const bool root = is_root();
  const bool receives = !root || !in_place();
  return {.input = root ? arguments_.sendbuf : nullptr,
          .output = receives ? arguments_.recvbuf : nullptr,
          .elements = bytes(),
          .blocks = {},
          .root = arguments_.root,
          .outputs = receives ? 1U : 0U};
}

}  // namespace airamp::pmpi
