// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The codecs on the GPU against the reference on the host, byte for byte.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"
#include "tests/gpu/cuda/cuda_device.hpp"

namespace airamp::gpu::test {
namespace {

using Bytes = std::vector<std::byte>;

class CudaCodec : public testing::TestWithParam<std::tuple<WireFormat, ElementType>> {
 protected:
  static void SetUpTestSuite() {
    if (count_gpus() > 0) opened = std::make_unique<OpenedDevice>(0);
  }
  static void TearDownTestSuite() { opened.reset(); }
  void SetUp() override {
    if (opened == nullptr) GTEST_SKIP() << "there is no GPU here";
  }

  WireFormat format() const { return std::get<0>(GetParam()); }
  ElementType type() const { return std::get<1>(GetParam()); }
  const codec::Codec& reference() const { return codec::host_reference_codec(format(), type()); }

  /// `skipped` elements lie before the message: its alignment.
  Bytes encode(const Bytes& input, std::size_t elements, std::size_t skipped) const {
    const DeviceMemory memory(input.size() + 64);
    const DeviceMemory wire(codec::wire_rows(format(), elements) * codec::wire_row_bytes + 64);
    std::byte* message = memory.data() + skipped * size_of(type());
    opened->copy(message, input.data(), input.size());
    Error error;
    check(OpenedDevice::backend().encode(opened->queue(), format(), type(), message, elements, wire.data(), error),
          error);
    opened->wait();
    Bytes result(codec::wire_rows(format(), elements) * codec::wire_row_bytes);
    opened->copy(result.data(), wire.data(), result.size());
    return result;
  }

  Bytes decode(const Bytes& wire, std::size_t elements, std::size_t skipped) const {
    const DeviceMemory device_wire(wire.size() + 64);
    const std::size_t bytes = elements * size_of(type());
    const std::size_t before = skipped * size_of(type());
    const DeviceMemory output(bytes + 64);
    opened->copy(device_wire.data(), wire.data(), wire.size());
    Bytes all(bytes + 64, std::byte{0xa5});
    opened->copy(output.data(), all.data(), all.size());
    Error error;
    check(OpenedDevice::backend().decode(opened->queue(), format(), type(), device_wire.data(), elements,
                                         output.data() + before, error),
          error);
    opened->wait();
    opened->copy(all.data(), output.data(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i < before || i >= before + bytes) {
        EXPECT_EQ(all[i], std::byte{0xa5}) << "beside the output, byte " << i;
      }
    }
    return Bytes(all.begin() + static_cast<std::ptrdiff_t>(before),
                 all.begin() + static_cast<std::ptrdiff_t>(before + bytes));
  }

  Bytes reduce(const std::vector<Bytes>& wires, std::size_t elements, ReduceOp op) const {
    std::vector<std::unique_ptr<DeviceMemory>> memory;
    std::vector<const std::byte*> sources;
    for (const Bytes& wire : wires) {
      memory.push_back(std::make_unique<DeviceMemory>(wire.size() + 64));
      opened->copy(memory.back()->data(), wire.data(), wire.size());
      sources.push_back(memory.back()->data());
    }
    Bytes result(wires[0].size());
    const DeviceMemory device_result(result.size() + 64);
    Error error;
    check(OpenedDevice::backend().reduce(opened->queue(), format(), type(), sources.data(), sources.size(), elements,
                                         op, device_result.data(), error),
          error);
    opened->wait();
    opened->copy(result.data(), device_result.data(), result.size());
    return result;
  }

  Bytes expected_wire(const Bytes& input, std::size_t elements) const {
    Bytes wire(codec::wire_rows(format(), elements) * codec::wire_row_bytes);
    reference().encode(input.data(), elements, wire.data());
    return wire;
  }

  Bytes expected_elements(const Bytes& wire, std::size_t elements) const {
    Bytes output(elements * size_of(type()));
    reference().decode(wire.data(), elements, output.data());
    return output;
  }

  void expect_same(const Bytes& got, const Bytes& wanted, const char* what) const {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(static_cast<int>(got[i]), static_cast<int>(wanted[i])) << what << ", byte " << i;
  }

  void expect_twin(const Bytes& input, std::size_t skipped = 0) const {
    const std::size_t elements = input.size() / size_of(type());
    const Bytes wire = expected_wire(input, elements);
    expect_same(encode(input, elements, skipped), wire, "encoding");
    if (HasFatalFailure()) return;
    expect_same(decode(wire, elements, skipped), expected_elements(wire, elements), "decoding");
  }

  /// Random elements. Unless `any_bits`, those of a block are of similar size.
  Bytes random_elements(std::size_t elements, std::uint32_t seed, bool any_bits) const {
    std::mt19937 random(seed);
    Bytes bytes(elements * size_of(type()));
    for (std::size_t i = 0; i < elements; ++i) {
      std::uint32_t bits = random();
      if (!any_bits) {
        const std::uint32_t exponent = (i / 32 * 2654435761u >> 20) + random() % 8;
        if (type() == ElementType::float32) bits = (bits & 0x807fffffu) | (exponent & 0xffu) << 23;
        if (type() == ElementType::bfloat16) bits = (bits & 0x807fu) | (exponent & 0xffu) << 7;
        if (type() == ElementType::float16) bits = (bits & 0x83ffu) | (exponent & 0x1fu) << 10;
      }
      std::memcpy(bytes.data() + i * size_of(type()), &bits, size_of(type()));
    }
    return bytes;
  }

  /// Random elements of similar size, as data are.
  Bytes similar_elements(std::size_t elements, std::uint32_t seed) const {
    std::mt19937 random(seed);
    Bytes bytes(elements * size_of(type()));
    for (std::size_t i = 0; i < elements; ++i) {
      const std::uint32_t low = random() % 8;
      std::uint32_t bits = random();
      if (type() == ElementType::float32) bits = (bits & 0x807fffffu) | (120 + low) << 23;
      if (type() == ElementType::bfloat16) bits = (bits & 0x807fu) | (120 + low) << 7;
      if (type() == ElementType::float16) bits = (bits & 0x83ffu) | (10 + low) << 10;
      std::memcpy(bytes.data() + i * size_of(type()), &bits, size_of(type()));
    }
    return bytes;
  }

  static std::unique_ptr<OpenedDevice> opened;
};

std::unique_ptr<OpenedDevice> CudaCodec::opened;

TEST_P(CudaCodec, TwinForEveryBitPatternOrManyRandomOnes) {
  if (type() == ElementType::float32) {
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
      expect_twin(random_elements(1'000'000, seed, seed % 3 == 0));
      if (HasFatalFailure()) return;
    }
    return;
  }
  constexpr std::size_t patterns = 65536;
  Bytes in_order(patterns * 2);
  Bytes mixed(patterns * 2);
  for (std::size_t i = 0; i < patterns; ++i) {
    const auto next = static_cast<std::uint16_t>(i);
    const auto far = static_cast<std::uint16_t>(i * 40503u);
    std::memcpy(in_order.data() + 2 * i, &next, 2);
    std::memcpy(mixed.data() + 2 * i, &far, 2);
  }
  expect_twin(in_order);
  expect_twin(mixed);
  expect_twin(random_elements(1'000'000, 1, false));
}

TEST_P(CudaCodec, TwinForElementsOfSimilarSize) {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    expect_twin(similar_elements(1'000'000, seed));
    if (HasFatalFailure()) return;
  }
}

TEST_P(CudaCodec, EveryLengthAndAlignment) {
  for (const std::size_t elements : {0,   1,   7,   8,   31,  32,  33,  119, 120, 247, 248, 249, 495,
                                     496, 497, 639, 640, 641, 959, 960, 961, 991, 992, 993, 5000}) {
    expect_twin(similar_elements(elements, 4), 2);
    expect_twin(random_elements(elements, 5, false));
    expect_twin(random_elements(elements, 6, true), 1);
    expect_twin(random_elements(elements, 7, true), 3);
  }
}

TEST_P(CudaCodec, ReducesInOrder) {
  for (const std::size_t elements : {std::size_t{1}, std::size_t{496 * 3 + 5}, std::size_t{200'000}}) {
    for (const int kind : {0, 1, 2}) {
      std::vector<Bytes> wires;
      for (std::uint32_t rank = 0; rank < 4; ++rank)
        wires.push_back(expected_wire(
            kind == 2 ? similar_elements(elements, 11 + rank) : random_elements(elements, 11 + rank, kind == 1),
            elements));
      for (std::size_t count = 1; count <= wires.size(); ++count) {
        const std::vector<Bytes> some(wires.begin(), wires.begin() + static_cast<std::ptrdiff_t>(count));
        std::vector<const std::byte*> sources;
        sources.reserve(some.size());
        for (const Bytes& wire : some) sources.push_back(wire.data());
        for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) {
          Bytes wanted(wires[0].size());
          reference().reduce(sources.data(), count, elements, op, wanted.data());
          expect_same(reduce(some, elements, op), wanted, "reducing");
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CudaCodec,
                         testing::Combine(testing::ValuesIn(every_wire_format),
                                          testing::Values(ElementType::float16, ElementType::bfloat16,
                                                          ElementType::float32)));

}  // namespace
}  // namespace airamp::gpu::test
