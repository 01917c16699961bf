// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/posted_broadcast.hpp"

#include <cstring>

namespace airamp::pmpi {

int PostedBroadcast::execute(const CollectiveData& data) {
  if (rank_ == data.root) {
    ring_.leave_for_all(data.input, data.elements);
    return MPI_SUCCESS;
  }
  const BroadcastRing::Message message = ring_.take_with_all(data.root);
  if (message.data == nullptr) return MPI_ERR_OTHER;
  std::memcpy(data.output, message.data, message.bytes);
  ring_.taken();
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
