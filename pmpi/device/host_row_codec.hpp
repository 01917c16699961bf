// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/codec.hpp"
#include "pmpi/device/row_codec.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// For buffers in host memory.
class HostRowCodec final : public RowCodec {
 public:
  explicit HostRowCodec(const codec::Codec& codec) : RowCodec(codec.format), codec_(codec) {}

  bool immediate() const override { return true; }
  std::size_t chunks_at_once() const override { return 1; }
  void encode(const std::byte* input, std::size_t elements, std::byte* wire) override {
    codec_.encode(input, elements, wire);
  }
  void decode(const std::byte* wire, std::size_t elements, std::byte* output) override {
    codec_.decode(wire, elements, output);
  }
  void wait_for_encoded() override {}
  void wait_for_decoded() override {}
  int status() const override { return MPI_SUCCESS; }

 private:
  const codec::Codec& codec_;
};

}  // namespace airamp::pmpi
