// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/ccl_algorithm.hpp"

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/pattern.hpp"

namespace airamp::pmpi {

CclAlgorithm::CclAlgorithm(CclGroup& group, Kind kind, const LocalFacts& facts) : group_(group) {
  collective_.pattern = pattern_of(kind);
  collective_.type = facts.type;
  collective_.op = facts.op;
}

int CclAlgorithm::execute(const CollectiveData& data) {
  collective_.root = data.root;
  collective_.elements = data.elements;
  collective_.input = data.input;
  collective_.output = data.output;
  if (!data.blocks.empty()) {  // equal ones, one after the other
    collective_.elements = data.blocks.front().elements;
    collective_.output = data.blocks.front().output;
  }
  return group_.run(collective_);
}

namespace {

/// Whether the site's library is asked for calls of a kind. Blocks of its gathers are equal.
constexpr bool is_in_library(Kind kind) {
  return kind == Kind::allreduce || kind == Kind::reduce_scatter_block || kind == Kind::allgather ||
         kind == Kind::bcast;
}

/// Whether the site's library, if there is one, keeps our promises: of floating-point numbers its maxima and minima
/// lose a NaN.
bool carries(const AgreedFacts& facts) {
  const LocalFacts& local = facts.local;
  const bool extreme = local.op == ReduceOp::max || local.op == ReduceOp::min;
  const bool real = element_type(local.type).has_value() || local.type == DataType::float64;
  return facts.ccl_enabled && is_in_library(facts.kind) && on_gpu(local.memory) && local.lossless && !(extreme && real);
}

Acquired acquire(const Acquisition& acquisition) {
  MadeOnce<std::unique_ptr<CclGroup>>& ccl = acquisition.resources.ccl;
  const int error = make_once(acquisition, ccl, CclGroup::create, "cannot use a collective communication library");
  if (error != MPI_SUCCESS) return {.error = error};
  if (ccl.made == nullptr) return {.why_not = "no collective communication library: " + ccl.why_not};
  return {.algorithm = std::make_unique<CclAlgorithm>(*ccl.made, acquisition.kind, acquisition.facts)};
}

}  // namespace

extern constexpr AlgorithmEntry ccl_entry{.order = 40, .carries = carries, .acquire = acquire};

}  // namespace airamp::pmpi
