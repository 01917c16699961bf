// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/agreement.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "pmpi/native.hpp"

namespace airamp::pmpi {
namespace {

constexpr int suspended_code = 0;
constexpr int ineligible_code = 1;
constexpr int first_view_code = 2;

int code_of(const View& view, bool wanted) {
  if (!wanted) return suspended_code;
  if (!view.eligible) return ineligible_code;
  constexpr int operations = 3;
  return first_view_code + static_cast<int>(view.element) * operations + static_cast<int>(view.op);
}

double comparable(double value) { return std::isnan(value) ? std::numeric_limits<double>::infinity() : value; }

}  // namespace

int agree_on_view(MPI_Comm comm, const View& view, bool wanted, Consent& consent) {
  const int code = code_of(view, wanted);
  std::array<int, 2> extremes = {code, -code};  // one reduction gives the smallest and the largest
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_INT, MPI_MIN, comm);
  if (error != MPI_SUCCESS) return error;
  const int smallest = extremes[0];
  const int largest = -extremes[1];
  if (smallest == suspended_code) {
    consent = Consent::suspended;
  } else {
    consent = smallest == largest && smallest >= first_view_code ? Consent::all : Consent::none;
  }
  return MPI_SUCCESS;
}

int agree_on_success(MPI_Comm comm, bool ok, bool& all_ok) {
  int least = ok ? 1 : 0;
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
  all_ok = least == 1;
  return error;
}

int agree_on_measurement(MPI_Comm comm, tuner::CallMeasurement& measurement) {
  std::vector<double> values = {comparable(measurement.native_seconds)};
  for (const tuner::CandidateMeasurement& candidate : measurement.candidates) {
    values.insert(values.end(), {comparable(candidate.seconds), comparable(candidate.relative_error),
                                 comparable(candidate.maximum_error)});
  }
  const int error =
      native().MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, comm);
  if (error != MPI_SUCCESS) return error;
  auto value = values.begin();
  measurement.native_seconds = *value++;
  for (tuner::CandidateMeasurement& candidate : measurement.candidates) {
    candidate.seconds = *value++;
    candidate.relative_error = *value++;
    candidate.maximum_error = *value++;
  }
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
