// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The reduction of vectors that are there already, on an emulated GPU, against its twin on the host.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "codec/lossless_reduce.hpp"
#include "gpu/runtime/launch/launch.hpp"
#include "tests/gpu/device/emulated_gpus.hpp"
#include "tests/gpu/device/emulated_ranks.hpp"

namespace airamp::gpu::test {
namespace {

constexpr std::size_t row_bytes = 512;

/// Whole rows, aligned as the GPU wants them.
class Rows {
 public:
  explicit Rows(std::size_t bytes) : memory_((bytes / row_bytes + 2) * row_bytes, std::byte{0xa5}) {}
  std::byte* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (row_bytes - address % row_bytes) % row_bytes;
  }

 private:
  std::vector<std::byte> memory_;
};

/// Small whole numbers: every operation on a few of them is exact in each type, and no bit pattern of theirs is a NaN.
void fill(std::byte* vector, DataType type, std::size_t elements, std::mt19937& random) {
  for (std::size_t i = 0; i < elements; ++i) {
    const auto number = static_cast<int>(random() % 7) - 3;
    const auto put = [&](auto value) { std::memcpy(vector + i * sizeof value, &value, sizeof value); };
    switch (type) {
      case DataType::float32:
        put(static_cast<float>(number));
        break;
      case DataType::float64:
        put(static_cast<double>(number));
        break;
      case DataType::int32:
        put(static_cast<std::int32_t>(number));
        break;
      default:
        put(static_cast<std::int64_t>(number));
    }
  }
}

TEST(Vectors, AreReducedAsOnTheHost) {
  std::mt19937 random(1);
  std::uint32_t seed = 0;
  for (const DataType type : {DataType::float32, DataType::float64, DataType::int32, DataType::int64}) {
    for (const ReduceOp op : {ReduceOp::sum, ReduceOp::prod, ReduceOp::max, ReduceOp::min}) {
      for (const std::size_t elements : {std::size_t{1}, std::size_t{777}}) {
        const std::size_t bytes = elements * size_of(type);
        device::emulated_gpus.reset(++seed);
        std::vector<Rows> vectors(3, Rows(bytes));
        std::array<const std::byte*, 3> places{};
        for (std::size_t rank = 0; rank < vectors.size(); ++rank) {
          fill(vectors[rank].data(), type, elements, random);
          places[rank] = vectors[rank].data();
        }
        std::vector<std::byte> expected(bytes);
        codec::reduce_lossless(type, op, places.data(), places.size(), elements, expected.data());

        const PeerCase one{.type = type, .elements = 1, .size = 1, .region_bytes = row_bytes};
        EmulatedRank gpu(one, 0, 32);
        gpu.queue().device->multiprocessors = 2;
        Rows result(bytes);
        Error error;
        ASSERT_TRUE(runtime::reduce_vectors(&gpu.queue(), type, places.data(), places.size(), elements, op,
                                            result.data(), error))
            << error.text.data();
        while (!gpu.is_done()) ASSERT_TRUE(device::emulated_gpus.go_on()) << "the kernel never ends";
        EXPECT_EQ(std::memcmp(result.data(), expected.data(), bytes), 0)
            << to_string(type) << ", " << to_string(op) << ", " << elements << " elements";
      }
    }
  }
}

}  // namespace
}  // namespace airamp::gpu::test
