// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/times_agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

/// The ranks have agreed on the call that comes now, so the others are done with the agreement before it, or about to
/// be.
int TimesAgreement::prepare(std::size_t numbers) {
  if (const int error = settle(); error != MPI_SUCCESS) return error;
  numbers_.assign(numbers, infinity);
  return MPI_SUCCESS;
}

Result<std::vector<double>> TimesAgreement::agree(MPI_Comm comm, std::vector<double> numbers) {
  numbers_ = std::move(numbers);
  std::replace_if(
      numbers_.begin(), numbers_.end(), [](double number) { return std::isnan(number); }, infinity);
  int error = start(comm);
  if (error == MPI_SUCCESS) error = settle();
  if (error != MPI_SUCCESS) return MpiError{error};
  return numbers_;
}

void TimesAgreement::leave(MPI_Comm comm) noexcept { start(comm); }

int TimesAgreement::settle() noexcept {
  return request_ == MPI_REQUEST_NULL ? MPI_SUCCESS : native().MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

/// Not MPI_Allreduce, which cannot be left.
int TimesAgreement::start(MPI_Comm comm) noexcept {
  return native().MPI_Iallreduce(MPI_IN_PLACE, numbers_.data(), static_cast<int>(numbers_.size()), MPI_DOUBLE, MPI_MAX,
                                 comm, &request_);
}

}  // namespace airamp::pmpi
