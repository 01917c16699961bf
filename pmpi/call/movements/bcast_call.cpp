// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/movements/bcast_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

std::uint64_t BcastCall::bytes() const {
  return root_ == MPI_PROC_NULL ? 0 : payload_bytes(count_, datatype_);  // between groups, some ranks have no data
}

LocalFacts BcastCall::facts(Wish wish) const {
  LocalFacts facts = facts_of_movement(datatype_, count_, wish);
  facts.type = DataType::byte;  // ranks may describe the same bytes by different types
  if (root_ < 0 || root_ >= ranks_in(comm_)) {
    facts.not_as_it_is(Reason::no_such_root);  // the MPI library's error
  } else if (bytes() == 0) {
    facts.not_as_it_is(Reason::no_data);
  }
  return facts;
}

std::optional<Elements> BcastCall::received_from_root() const {
  if (is_root()) return std::nullopt;
  return Elements{.at = buffer_, .count = count_, .type = datatype_};
}

int BcastCall::run_with_copies() const {
  if (!need_copies(nullptr, buffer_)) return run_library(buffer_);
  const Span span = root_ == MPI_PROC_NULL ? Span{} : span_of(datatype_, 0, count_);
  const bool sends = is_root();
  const auto written = [&] { return sends ? std::vector<Rows>() : rows_of(datatype_, 0, count_); };
  return run_on_host(comm_, {nullptr, {}, false}, {buffer_, span, sends}, written,
                     [this](const void*, void* buffer) { return run_library(buffer); });
}

bool BcastCall::is_root() const { return root_ == (is_between_groups(comm_) ? MPI_ROOT : rank_in(comm_)); }

CollectiveData BcastCall::data(const LocalFacts&) const {
  const bool gives = is_root();
  CollectiveData data{.elements = bytes(), .blocks = {}, .root = root_, .outputs = gives ? 0U : 1U};
  const Elements elements{.at = buffer_, .count = count_, .type = datatype_};
  data.output =
      gives ? const_cast<std::byte*>(place_of_given(elements, comm_, data)) : place_of_taken(elements, comm_, data);
  data.input = data.output;
  return data;
}

}  // namespace airamp::pmpi
