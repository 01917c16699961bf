// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/communicator_policy.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <string>

#include "config/enum_names.hpp"
#include "core/size_bucket.hpp"
#include "pmpi/algorithm/abilities/root_message.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/being_freed.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

constexpr double unset = -1;

std::string value_of(MPI_Info info, const char* key) {
  std::array<char, 64> value{};
  int found = 0;
  if (info == MPI_INFO_NULL) return {};
  if (native().Info_get(info, key, static_cast<int>(value.size()) - 1, value.data(), &found) != MPI_SUCCESS) return {};
  return found != 0 ? std::string(value.data()) : std::string();
}

void reject(const char* key, const std::string& value, const char* allowed) {
  telemetry::log(config::LogLevel::warn,
                 std::string("MPI_Comm_set_info: ") + key + ": \"" + value + "\" is ignored; allowed: " + allowed);
}

double boolean_of(MPI_Info info, const char* key) {
  const std::string value = value_of(info, key);
  if (value == "true" || value == "1") return 1;
  if (value == "false" || value == "0") return 0;
  if (!value.empty()) reject(key, value, "true, false");
  return unset;
}

double max_relative_error_of(MPI_Info info) {
  const std::string value = value_of(info, "airamp_max_relative_error");
  double bound = unset;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bound);
  if (!value.empty() && error == std::errc() && end == value.data() + value.size() && bound >= 0 && bound <= 1) {
    return bound;
  }
  if (!value.empty()) reject("airamp_max_relative_error", value, "0 to 1");
  return unset;
}

double force_of(MPI_Info info) {
  const std::string value = value_of(info, "airamp_force");
  const std::optional<config::Force> force = config::find_enumerator<config::Force>(value);
  if (force && force != config::Force::native) return static_cast<double>(*force);
  if (value.empty()) return unset;
  std::string allowed = config::list_of_names<config::Force>();
  const std::string native_name = std::string(config::enum_name(config::Force::native)) + ", ";
  allowed.erase(allowed.find(native_name), native_name.size());  // that is what airamp_compress is for
  reject("airamp_force", value, allowed.c_str());
  return unset;
}

/// Gathers and scans of so few bytes that they take less than the ranks are apart when they begin: natively most ranks
/// wait for one or none.
bool is_short_gather_or_scan(const SignatureKey& key) noexcept {
  constexpr std::uint64_t longest = 4095;
  const Kind kind = key.kind;
  return (kind == Kind::gather || kind == Kind::gatherv || kind == Kind::scan || kind == Kind::exscan) &&
         key.memory == Memory::host && bucket_upper_bound(key.bucket) <= longest;
}

}  // namespace

int take_policy(MPI_Comm comm, MPI_Info info) {
  CommunicatorState* state = communicator_state(comm);
  if (state == nullptr) {
    if (BeingFreed::includes(comm)) return MPI_SUCCESS;
    native().Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
  }
  if (state->inter || state->foreign) return MPI_SUCCESS;
  const double compress = boolean_of(info, "airamp_compress");
  const double max_relative_error = max_relative_error_of(info);
  const double pola = boolean_of(info, "airamp_pola");
  const double force = force_of(info);
  // one reduction gives smallest and largest
  std::array<double, 8> extremes = {compress,  max_relative_error,  pola,  force,
                                    -compress, -max_relative_error, -pola, -force};
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 8, MPI_DOUBLE, MPI_MIN, comm);
  if (error != MPI_SUCCESS) return error;
  for (std::size_t i = 0; i < 4; ++i) {
    if (extremes[i] == -extremes[i + 4]) continue;
    telemetry::log(config::LogLevel::warn,
                   "MPI_Comm_set_info: the ranks gave different airamp_ keys; they are ignored");
    return MPI_SUCCESS;
  }
  const CommunicatorPolicy before = state->policy;
  if (compress != unset) {
    state->policy.compress = compress == 1;
    if (compress == 1) job().communicators_opted_in.store(true);
  }
  if (max_relative_error != unset) state->policy.max_relative_error = max_relative_error;
  if (pola != unset) state->policy.pola = pola == 1;
  if (force != unset) state->policy.force = static_cast<config::Force>(force);
  if (state->policy != before) {  // on all ranks: what was decided under the old one is decided anew
    state->forget_agreements();
  }
  return MPI_SUCCESS;
}

tuner::TuningRules rules_for(const CommunicatorState& state, const SignatureKey& key) noexcept {
  const config::Settings& settings = job().settings;
  // nobody waits for the others, likewise
  const bool may_be_posted = fits_root_message(key.kind, bucket_upper_bound(key.bucket), state.size);
  const bool is_by_median = may_be_posted || is_short_gather_or_scan(key);
  return {.warmup_iterations = settings.warmup_iterations,
          .min_speedup = settings.min_speedup,
          .max_relative_error = state.policy.max_relative_error.value_or(settings.max_relative_error),
          .of_native_times = is_by_median ? tuner::Statistic::median : tuner::Statistic::minimum,
          .windows = job().review_windows};
}

std::optional<AlgorithmId> imposed_algorithm(const CommunicatorState& state) noexcept {
  return imposed_by(state.policy.force.value_or(job().settings.force));
}

}  // namespace airamp::pmpi
