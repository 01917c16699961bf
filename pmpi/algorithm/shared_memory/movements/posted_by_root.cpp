// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/posted_by_root.hpp"

#include <cstddef>
#include <cstring>

namespace airamp::pmpi {

int PostedByRoot::execute(const CollectiveData& data) {
  const bool is_root = rank_ == data.root;
  const std::size_t bytes = message_bytes(kind_, data.elements, ranks_);
  BroadcastRing::Message message{.data = static_cast<const std::byte*>(data.input), .bytes = bytes};
  if (is_root) {
    ring_.leave_for_all(message.data, message.bytes);
  } else {
    message = ring_.take_with_all(data.root);
    if (message.data == nullptr) return MPI_ERR_OTHER;
  }
  const BroadcastRing::Part own = own_part(kind_, message.bytes, rank_, ranks_);
  if (data.outputs > 0) std::memcpy(data.output, message.data + own.begin, own.bytes);
  if (!is_root) ring_.taken();
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
