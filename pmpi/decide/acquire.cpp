// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/acquire.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/size_bucket.hpp"
#include "gpu/host/floating_point_scope.hpp"
#include "pmpi/algorithm/acquisition.hpp"
#include "pmpi/algorithm/registry.hpp"

namespace airamp::pmpi {
namespace {

bool any_of(const SignatureState& signature) {
  return std::any_of(signature.algorithms.begin(), signature.algorithms.end(),
                     [](const std::unique_ptr<Algorithm>& algorithm) { return algorithm != nullptr; });
}

/// Every cause once, in the order of the candidates.
void add_cause(std::string& causes, const std::string& cause) {
  if (causes.find(cause) != std::string::npos) return;
  causes += (causes.empty() ? "" : "; ") + cause;
}

}  // namespace

int acquire(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
            const gpu::Location& gpu) {
  std::string causes;
  for (std::size_t i = 0; i < signature.candidates.size(); ++i) {
    if (signature.given_up[i]) continue;
    const AlgorithmId id = signature.candidates[i];
    Acquired acquired = entry_of(id).acquire({.id = id,
                                              .kind = call.kind(),
                                              .view = view,
                                              .gpu = gpu,
                                              .most_bytes = bucket_upper_bound(size_bucket(call.bytes())),
                                              .comm = call.communicator(),
                                              .rank = state.rank,
                                              .size = state.size,
                                              .resources = state.resources,
                                              .tag = signature.tag});
    if (acquired.error != MPI_SUCCESS) return acquired.error;
    signature.algorithms[i] = std::move(acquired.algorithm);
    if (signature.algorithms[i] == nullptr) add_cause(causes, acquired.why_not);
  }
  signature.acquired = true;
  if (!any_of(signature)) {
    signature.why_not_acquired = causes.empty() ? "no algorithm of AIRamp's carries it" : causes;
  }
  return MPI_SUCCESS;
}

void give_up(SignatureState& signature, std::size_t candidate, std::string_view cause) {
  const gpu::host::FloatingPointScope scope;  // the tuner compares times that are not known
  const std::string why(cause);
  signature.given_up[candidate] = true;
  signature.tuner.give_up(candidate, why);
  signature.algorithms[candidate].reset();
  if (!any_of(signature)) signature.why_not_acquired = why;
}

}  // namespace airamp::pmpi
