// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/posted_by_root.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace airamp::pmpi {
namespace {

/// Where a rank's part is to go; nowhere if it is there already.
GatherBlock room_for(CollectiveKind kind, const CollectiveData& data) {
  if (kind == CollectiveKind::scatterv) return data.blocks[static_cast<std::size_t>(data.root)];
  return {.output = static_cast<std::byte*>(data.output), .elements = data.outputs * data.elements};
}

int put(const std::byte* from, std::size_t bytes, const GatherBlock& to) {
  const std::size_t put = std::min(bytes, to.elements);
  if (put > 0 && to.output != from) std::memcpy(to.output, from, put);
  return put < bytes ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

}  // namespace

int PostedByRoot::execute(const CollectiveData& data) {
  const GatherBlock to = room_for(kind_, data);
  if (rank_ == data.root) {
    const std::size_t bytes =
        kind_ == CollectiveKind::scatterv ? data.given() - own_block(kind_, data).elements : data.elements;
    MessageRoom room;
    const BroadcastRing::Message message = root_message(kind_, data, bytes, ranks_, room);
    ring_.leave_for_all(message.data, message.bytes);
    if (to.elements == 0) return MPI_SUCCESS;
    const SentBlock own = own_block(kind_, data);
    return put(own.input, own.elements, to);
  }
  const BroadcastRing::Message message = ring_.take_with_all(data.root);
  if (message.data == nullptr) return MPI_ERR_OTHER;
  const BroadcastRing::Part part = part_of(kind_, message, rank_, ranks_);
  const int error = put(message.data + part.begin, part.bytes, to);
  ring_.taken();
  return error;
}

}  // namespace airamp::pmpi
