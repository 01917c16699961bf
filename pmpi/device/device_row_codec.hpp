// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "pmpi/device/codec_queues.hpp"
#include "pmpi/device/row_codec.hpp"

namespace airamp::pmpi {

/// For buffers in a GPU's memory: its kernels read and write pinned wires, so that only encoded bytes cross the bus.
class DeviceRowCodec final : public RowCodec {
 public:
  /// Throws std::bad_alloc.
  DeviceRowCodec(CodecQueues& queues, WireFormat format, ElementType type);

  bool immediate() const override { return false; }
  std::size_t chunks_at_once() const override { return 4; }
  void encode(const std::byte* input, std::size_t elements, std::byte* wire) override;
  void decode(const std::byte* wire, std::size_t elements, std::byte* output) override;
  void wait_for_encoded() override;
  void wait_for_decoded() override;
  int status() const override;

 private:
  struct Encoding {
    std::byte* wire;
    std::size_t rows;
  };
  void poison(const Encoding& encoding) const;

  CodecQueues& queues_;
  const gpu::Backend& backend_;
  ElementType type_;
  std::vector<Encoding> started_;  ///< since the last wait
  alignas(64) std::array<std::byte, codec::wire_row_bytes> poison_{};
};

}  // namespace airamp::pmpi
