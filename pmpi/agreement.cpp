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

// What a rank says in a meeting: its code, and above it whether its buffers recur.
constexpr std::uint64_t recurs_bit = std::uint64_t{1} << 32U;
std::uint64_t word_of(int code, bool recurs) { return static_cast<std::uint64_t>(code) | (recurs ? recurs_bit : 0); }
int code_of(std::uint64_t word) { return static_cast<int>(word & (recurs_bit - 1)); }
bool recurs_in(std::uint64_t word) { return (word & recurs_bit) != 0; }

double comparable(double value) { return std::isnan(value) ? std::numeric_limits<double>::infinity() : value; }

}  // namespace

int agree_on_view(MPI_Comm comm, CommunicatorState& state, const View& view, bool wanted, bool& recurs,
                  Consent& consent) {
  const int code = code_of(view, wanted);
  if (state.peers != nullptr) {
    const HostMeeting::Words words = state.peers->meeting().meet(word_of(code, recurs));
    const auto end = words.begin() + state.size;
    const auto [smallest, largest] =
        std::minmax_element(words.begin(), end, [](auto a, auto b) { return code_of(a) < code_of(b); });
    consent = consent_of(code_of(*smallest), code_of(*largest));
    recurs = std::all_of(words.begin(), end, recurs_in);
    return MPI_SUCCESS;
  }
  // one reduction gives the smallest and the largest code, and whether the buffers of all recur
  std::array<int, 3> least = {code, -code, recurs ? 1 : 0};
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, least.data(), least.size(), MPI_INT, MPI_MIN, comm);
  if (error != MPI_SUCCESS) return error;
  consent = consent_of(least[0], -least[1]);
  recurs = least[2] == 1;
  return MPI_SUCCESS;
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
