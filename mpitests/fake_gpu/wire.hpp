// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/codec.hpp"
#include "gpu/peer/collective.hpp"

namespace airamp::fake_gpu {

/// How elements travel: as they are, or by the host's codec. Reduces in rank order.
class Wire {
 public:
  Wire(std::optional<WireFormat> wire, DataType type, ReduceOp op);

  /// Elements that `bytes` bytes of wire hold; of a codec whole rows.
  std::uint64_t capacity(std::size_t bytes) const;

  /// Bytes that `count` elements take.
  std::size_t bytes(std::uint64_t count) const;

  void encode(const std::byte* elements, std::uint64_t count, std::byte* wire) const;
  void decode(const std::byte* wire, std::uint64_t count, std::byte* elements) const;

  /// `wires`: by rank. Sums of two-byte numbers are rounded once.
  void reduce(const std::byte* const* wires, int ranks, std::uint64_t count, std::byte* result) const;

 private:
  const codec::Codec* codec_ = nullptr;  ///< nullptr: as they are
  DataType type_;
  ReduceOp op_;
};

}  // namespace airamp::fake_gpu
