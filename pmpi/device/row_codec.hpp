// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/wire_format.hpp"

namespace airamp::pmpi {

/// Encodes from and decodes to the application's buffers, wherever they lie; wire rows are always host memory, and
/// their bytes do not depend on where the buffers lie. Used by one thread at a time.
///
/// What fails can only fail on one rank, in the middle of a collective. So that the other ranks do not wait for it,
/// nothing fails at once: its wires carry NaN, its outputs are undefined, and `status` tells in the end.
class RowCodec {
 public:
  explicit RowCodec(WireFormat format) : format_(format) {}
  virtual ~RowCodec() = default;
  RowCodec(const RowCodec&) = delete;
  RowCodec& operator=(const RowCodec&) = delete;

  /// The format of its rows.
  WireFormat format() const { return format_; }

  /// Whether `encode` and `decode` return when their results are there. Otherwise the waits tell, and in between
  /// neither source nor destination may be touched.
  virtual bool immediate() const = 0;

  /// How many full segments are to be given to `encode` and `decode` together: what a call costs, whatever its size,
  /// decides that. A power of two.
  virtual std::size_t chunks_at_once() const = 0;

  /// As those of codec::Codec.
  virtual void encode(const std::byte* input, std::size_t elements, std::byte* wire) = 0;
  virtual void decode(const std::byte* wire, std::size_t elements, std::byte* output) = 0;

  /// Wait for all that was started.
  virtual void wait_for_encoded() = 0;
  virtual void wait_for_decoded() = 0;

  /// After the waits: MPI_SUCCESS, or the MPI error code of what has failed.
  virtual int status() const = 0;

 private:
  WireFormat format_;
};

}  // namespace airamp::pmpi
