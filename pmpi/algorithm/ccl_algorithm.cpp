// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/ccl_algorithm.hpp"

#include "pmpi/algorithm/pattern.hpp"

namespace airamp::pmpi {

CclAlgorithm::CclAlgorithm(CclGroup& group, Kind kind, const View& view) : group_(group) {
  collective_.pattern = pattern_of(kind);
  collective_.type = view.type;
  collective_.op = view.op;
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

}  // namespace airamp::pmpi
