// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/device_row_codec.hpp"

#include <algorithm>

#include "pmpi/device/chunking_rule.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

DeviceRowCodec::DeviceRowCodec(CodecQueues& queues, WireFormat format, ElementType type)
    : RowCodec(format), queues_(queues), backend_(queues.device().backend()), type_(type) {
  started_.reserve(max_ranks);  // one for each destination: nothing is allocated inside a call
  const codec::Codec& codec = codec::host_codec(format, type);
  const std::vector<std::byte> numbers(codec.row_elements() * size_of(type), std::byte{0xff});  // NaN in every type
  codec.encode(numbers.data(), codec.row_elements(), poison_.data());
}

void DeviceRowCodec::encode(const std::byte* input, std::size_t elements, std::byte* wire) {
  const Encoding encoding{.wire = wire, .rows = codec::wire_rows(format(), elements)};
  if (!queues_.failed()) {
    gpu::Error error;
    gpu::Queue* queue = queues_.encoding().next(error);
    if (queue == nullptr || !backend_.encode(queue, format(), type_, input, elements, wire, error)) queues_.fail(error);
  }
  started_.push_back(encoding);
}

void DeviceRowCodec::decode(const std::byte* wire, std::size_t elements, std::byte* output) {
  if (queues_.failed()) return;
  gpu::Error error;
  gpu::Queue* queue = queues_.decoding().next(error);
  if (queue == nullptr || !backend_.decode(queue, format(), type_, wire, elements, output, error)) queues_.fail(error);
}

void DeviceRowCodec::wait_for_encoded() {
  gpu::Error error;
  if (!queues_.encoding().wait(error)) queues_.fail(error);
  if (queues_.failed()) {
    for (const Encoding& encoding : started_) poison(encoding);
  }
  started_.clear();
}

void DeviceRowCodec::wait_for_decoded() {
  gpu::Error error;
  if (!queues_.decoding().wait(error)) queues_.fail(error);
}

int DeviceRowCodec::status() const { return queues_.failed() ? MPI_ERR_OTHER : MPI_SUCCESS; }

void DeviceRowCodec::poison(const Encoding& encoding) const {
  for (std::size_t row = 0; row < encoding.rows; ++row) {
    std::copy(poison_.begin(), poison_.end(), encoding.wire + row * codec::wire_row_bytes);
  }
}

}  // namespace airamp::pmpi
