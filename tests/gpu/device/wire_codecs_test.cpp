// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The codecs of device code on emulated warps against the reference on the host, bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "codec/codec.hpp"
#include "codec/element_conversion.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/mx/wire_codec.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {
namespace {

template <WireFormat wire_format, ElementType element_type>
struct Parameters {
  static constexpr WireFormat format = wire_format;
  static constexpr ElementType type = element_type;
};

/// Two warps, each with rows of its own, as waves of 32 and of 64 lanes.
template <class Which>
class WireCodecs : public testing::Test {
 protected:
  static constexpr WireFormat format = Which::format;
  static constexpr ElementType type = Which::type;
  using Codec = WireCodec<format, type>;
  static constexpr std::size_t row_elements = codec::wire_row_elements(format);
  static constexpr std::size_t row_vectors = codec::wire_row_bytes / sizeof(Vector);
  using Elements = std::vector<std::byte>;
  using Rows = std::vector<Vector>;

  const codec::Codec& reference = codec::host_reference_codec(format, type);

  template <class Kernel>
  static void run_warps(std::size_t warps, const Kernel& kernel) {
    for (const std::uint32_t wave_lanes : {32u, 64u}) {
      emulated_gpus.reset(7);
      emulated_gpus.launch({.blocks = 1,
                            .threads = static_cast<std::uint32_t>(warps * warp_lanes),
                            .wave_lanes = wave_lanes,
                            .kernel = kernel,
                            .arguments = {}});
      while (!emulated_gpus.are_idle()) ASSERT_TRUE(emulated_gpus.go_on());
    }
  }

  static Elements packed(const std::vector<float>& values) {
    Elements elements(values.size() * size_of(type));
    for (std::size_t i = 0; i < values.size(); ++i) codec::store_element<type>(values[i], elements.data(), i);
    return elements;
  }

  /// As many rows as there are kinds of data: noise; smooth; heavy tails; noise with poison; large; tiny; zeros; any
  /// bits. `count` elements in all.
  static Elements mixed(std::uint32_t seed, std::size_t count) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const float infinity = std::numeric_limits<float>::infinity();
    const float huge = type == ElementType::float16 ? 3e4f : 2e38f;
    std::vector<float> values(count);
    Elements any_bits(count * size_of(type));
    for (std::size_t i = 0; i < count; ++i) {
      const float noise = normal(random);
      switch ((i / row_elements + seed) % 8) {
        case 0:
          values[i] = noise;
          break;
        case 1:
          values[i] = 100.0f + std::sin(static_cast<float>(i) / 50.0f) + 0.01f * noise;
          break;
        case 2:
          values[i] = noise * noise * noise * noise * noise;
          break;
        case 3:
          values[i] = random() % 100 == 0 ? (random() % 2 == 0 ? infinity : std::nanf("")) : noise;
          break;
        case 4:
          values[i] = std::clamp(huge * noise, -huge * 1.5f, huge * 1.5f);
          break;
        case 5:
          values[i] = noise * 1e-6f;
          break;
        case 6:
          values[i] = i % 3 == 0 ? -0.0f : 0.0f;
          break;
        default:
          values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
          break;
      }
    }
    return packed(values);
  }

  Rows encoded_by_reference(const Elements& elements) const {
    const std::size_t count = elements.size() / size_of(type);
    Rows rows(reference.rows(count) * row_vectors);
    reference.encode(elements.data(), count, reinterpret_cast<std::byte*>(rows.data()));
    return rows;
  }

  static bool same(const Rows& a, const Rows& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Vector& x, const Vector& y) {
      return std::equal(std::begin(x.word), std::end(x.word), std::begin(y.word));
    });
  }
};

using All = testing::Types<
    Parameters<WireFormat::mxfp8_e4m3, ElementType::float16>, Parameters<WireFormat::mxint8, ElementType::float32>,
    Parameters<WireFormat::mxfp6_e2m3, ElementType::float16>, Parameters<WireFormat::mxfp6_e2m3, ElementType::float32>,
    Parameters<WireFormat::mxfp6_e3m2, ElementType::bfloat16>, Parameters<WireFormat::mxfp4, ElementType::float16>,
    Parameters<WireFormat::mxfp4, ElementType::bfloat16>, Parameters<WireFormat::mxfp4, ElementType::float32>>;
TYPED_TEST_SUITE(WireCodecs, All);

TYPED_TEST(WireCodecs, EncodeToTheBitsOfTheReference) {
  using Fixture = TestFixture;
  using Tested = typename Fixture::Codec;
  for (const std::size_t count : {16 * Fixture::row_elements, 2 * Fixture::row_elements + 77, std::size_t{5}}) {
    const auto elements = Fixture::mixed(3, count);
    const auto expected = this->encoded_by_reference(elements);
    typename Fixture::Rows rows(expected.size());
    const std::size_t warps = rows.size() / Fixture::row_vectors;
    Fixture::run_warps(warps, [&] {
      const std::size_t row = warp_in_block();
      Vector vectors[Tested::vectors];
      load_tile<Tested, 1>(vectors, elements.data(), row * Tested::row_elements, count, true);
      rows[row * 32 + static_cast<std::size_t>(lane_index())] = Tested::encode(vectors);
    });
    EXPECT_TRUE(Fixture::same(rows, expected)) << count << " elements";
  }
}

TYPED_TEST(WireCodecs, DecodeToTheElementsOfTheReference) {
  using Fixture = TestFixture;
  using Tested = typename Fixture::Codec;
  for (const std::size_t count : {16 * Fixture::row_elements, 2 * Fixture::row_elements + 77, std::size_t{5}}) {
    const auto rows = this->encoded_by_reference(Fixture::mixed(4, count));
    typename Fixture::Elements expected(count * size_of(Fixture::type)), elements(expected.size());
    this->reference.decode(reinterpret_cast<const std::byte*>(rows.data()), count, expected.data());
    Fixture::run_warps(rows.size() / Fixture::row_vectors, [&] {
      const std::size_t row = warp_in_block();
      Vector vectors[Tested::vectors];
      Tested::decode(rows[row * 32 + static_cast<std::size_t>(lane_index())], vectors);
      store_row<Tested>(vectors, elements.data(), row * Tested::row_elements, count, true);
    });
    EXPECT_EQ(elements, expected) << count << " elements";
  }
}

/// Rows of all kinds meet rows of all kinds.
TYPED_TEST(WireCodecs, ReduceToTheBitsOfTheReference) {
  using Fixture = TestFixture;
  using Tested = typename Fixture::Codec;
  constexpr std::size_t count = 16 * Fixture::row_elements;
  for (const std::uint32_t distance : {0u, 1u, 3u, 4u}) {
    for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) {
      std::array<typename Fixture::Rows, 3> sources;
      std::array<const std::byte*, 3> wires;
      for (std::uint32_t i = 0; i < 3; ++i) {
        sources[i] = this->encoded_by_reference(Fixture::mixed(8 * i + i * distance, count));
        wires[i] = reinterpret_cast<const std::byte*>(sources[i].data());
      }
      typename Fixture::Rows expected(sources[0].size()), rows(expected.size());
      this->reference.reduce(wires.data(), wires.size(), count, op, reinterpret_cast<std::byte*>(expected.data()));
      Fixture::run_warps(16, [&] {
        const std::size_t at = std::size_t{warp_in_block()} * 32 + static_cast<std::size_t>(lane_index());
        typename Tested::Accumulator accumulators[Tested::width];
        Tested::start(op, accumulators, sources[0][at]);
        for (std::size_t i = 1; i < 3; ++i) Tested::add(op, accumulators, sources[i][at]);
        rows[at] = Tested::finish(accumulators);
      });
      EXPECT_TRUE(Fixture::same(rows, expected)) << to_string(op) << ", " << distance << " apart";
    }
  }
}

}  // namespace
}  // namespace airamp::gpu::device
