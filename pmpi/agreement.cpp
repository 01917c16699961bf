// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/agreement.hpp"

#include <algorithm>
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

/// Everything of a view that has to be the same on all ranks, as a small number.
int code_of(const View& view, bool wanted) {
  if (!wanted) return suspended_code;
  if (!view.eligible() || view.memory == Memory::mixed) return ineligible_code;
  constexpr int operations = 4;
  const int what = static_cast<int>(view.type) * operations + static_cast<int>(view.op);
  const int ways = (view.lossy ? 1 : 0) + (view.lossless ? 2 : 0) + (view.memory == Memory::device ? 4 : 0);
  return first_view_code + what * 8 + ways;
}

Consent consent_of(int smallest, int largest) {
  if (smallest == suspended_code) return Consent::suspended;
  return smallest == largest && smallest >= first_view_code ? Consent::all : Consent::none;
}

double comparable(double value) { return std::isnan(value) ? std::numeric_limits<double>::infinity() : value; }

}  // namespace

int agree_on_view(MPI_Comm comm, CommunicatorState& state, const View& view, bool wanted, Consent& consent) {
  const int code = code_of(view, wanted);
  if (state.peers != nullptr) {
    const HostMeeting::Words codes = state.peers->meeting().meet(static_cast<std::uint64_t>(code));
    const auto [smallest, largest] = std::minmax_element(codes.begin(), codes.begin() + state.size);
    consent = consent_of(static_cast<int>(*smallest), static_cast<int>(*largest));
    return MPI_SUCCESS;
  }
  std::array<int, 2> extremes = {code, -code};  // one reduction gives the smallest and the largest
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_INT, MPI_MIN, comm);
  if (error == MPI_SUCCESS) consent = consent_of(extremes[0], -extremes[1]);
  return error;
}

int agree_on_success(MPI_Comm comm, bool ok, bool& all_ok) {
  int least = ok ? 1 : 0;
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
  all_ok = least == 1;
  return error;
}

int agree_on_times(MPI_Comm comm, std::vector<double>& values) {
  for (double& value : values) value = comparable(value);
  return native().MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                                comm);
}

}  // namespace airamp::pmpi
