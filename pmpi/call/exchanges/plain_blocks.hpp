// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pmpi/call/collective_data.hpp"
#include "pmpi/types/predefined_datatypes.hpp"

namespace airamp::pmpi {

/// The blocks of an exchange whose elements lie in memory as they are sent, by rank: what CollectiveData has of them.
/// They are used again in each call, which would else ask for memory.
struct PlainBlocks {
  explicit PlainBlocks(std::size_t ranks) : sent(ranks), received(ranks) {}

  /// As the data of a call, until `take_back`.
  CollectiveData lend(int root) {
    return {.blocks = std::move(received), .sent = std::move(sent), .root = root, .outputs = 0};
  }
  void take_back(CollectiveData& data) {
    received = std::move(data.blocks);
    sent = std::move(data.sent);
  }

  std::vector<SentBlock> sent;
  std::vector<GatherBlock> received;
};

/// What a rank sends to others in such a call.
struct PlainStream {
  std::uint64_t bytes = 0;
  bool gets_from_all = false;  ///< and whether it gets something from each of them
};

/// Bytes of an element that lies as it is sent, of a predefined type; 0 of any other, about which nobody is asked.
inline std::size_t plain_element_bytes(MPI_Datatype type) {
  const DatatypeInfo* const info = find_predefined_datatype(type);
  return info != nullptr && info->packed ? static_cast<std::size_t>(info->size) : 0;
}

/// A block of `bytes` bytes that lies `offset` bytes behind the beginning of a buffer.
inline SentBlock sent_block(const void* buffer, std::int64_t offset, std::size_t bytes) {
  return {.input = static_cast<const std::byte*>(buffer) + offset, .elements = bytes};
}
inline GatherBlock received_block(const void* buffer, std::int64_t offset, std::size_t bytes) {
  return {.output = static_cast<std::byte*>(const_cast<void*>(buffer)) + offset, .elements = bytes};
}

}  // namespace airamp::pmpi
