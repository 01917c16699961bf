// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/codec_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

namespace airamp::benchmarks {
namespace {

constexpr std::size_t ranks = 4;
constexpr std::size_t elements = std::size_t{1} << 20;

using Data = std::vector<float>;
using Random = std::mt19937;

Data normals(Random& random, std::size_t) {
  std::normal_distribution<float> normal;
  Data data(elements);
  for (float& value : data) value = normal(random);
  return data;
}

/// Heavy tails, and layers of 4096 to 65536 elements whose sizes differ by orders of magnitude. The ranks' layers are
/// the same.
Data gradients(Random& random, std::size_t) {
  Random layers(1);
  std::normal_distribution<float> normal;
  std::exponential_distribution<float> exponential;
  Data data;
  while (data.size() < elements) {
    const float scale = std::exp(2.0f * normal(layers)) * 1e-3f;
    const std::size_t end = std::min<std::size_t>(elements, data.size() + (4096u << (layers() % 5)));
    while (data.size() < end) {
      const float size = exponential(random) * std::exp(0.5f * normal(random)) * scale;
      data.push_back((random() & 1u) != 0 ? size : -size);
    }
  }
  return data;
}

/// A temperature: a large mean, long and short waves, and noise.
Data temperatures(Random& random, std::size_t rank) {
  std::normal_distribution<float> noise(0.0f, 0.5f);
  Data data(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    const float x = static_cast<float>(i) + 1000.0f * static_cast<float>(rank);
    data[i] = 280.0f + 20.0f * std::sin(x / 397.0f) + 5.0f * std::sin(x / 23.0f) + noise(random);
  }
  return data;
}

/// Packets of waves, with next to nothing between them.
Data waves(Random&, std::size_t rank) {
  Data data(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    const float x = static_cast<float>(i) + 100.0f * static_cast<float>(rank);
    const float distance = std::fmod(x, 20000.0f) - 10000.0f;
    data[i] = std::sin(x / 50.0f) * std::exp(-distance * distance / 4e6f);
  }
  return data;
}

/// One element in twenty is not zero.
Data sparse(Random& random, std::size_t) {
  std::normal_distribution<float> normal;
  Data data(elements);
  for (float& value : data) value = random() % 20 == 0 ? normal(random) : 0.0f;
  return data;
}

struct Kind {
  const char* name;
  Data (*make)(Random&, std::size_t rank);
};
constexpr std::array kinds = {Kind{"normals", normals}, Kind{"gradients", gradients}, Kind{"temperature", temperatures},
                              Kind{"waves", waves}, Kind{"sparse", sparse}};

struct Error {
  double relative;  ///< L2 norm over that of the exact sum
  double largest;   ///< over the exact sum's root mean square
};

Error error_of(const codec::Codec& codec, const Kind& kind) {
  struct alignas(64) Row {
    std::array<std::byte, codec::wire_row_bytes> bytes;
  };
  Random random(7);
  std::vector<double> exact(elements, 0.0);
  std::vector<std::vector<Row>> wires;
  std::vector<const std::byte*> sources;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const Data data = kind.make(random, rank);
    for (std::size_t i = 0; i < elements; ++i) exact[i] += static_cast<double>(data[i]);
    auto& wire = wires.emplace_back(codec.rows(elements));
    codec.encode(data.data(), elements, wire.front().bytes.data());
    sources.push_back(wire.front().bytes.data());
  }
  std::vector<Row> result(codec.rows(elements));
  codec.reduce(sources.data(), ranks, elements, ReduceOp::sum, result.front().bytes.data());
  Data sum(elements);
  codec.decode(result.front().bytes.data(), elements, sum.data());
  double squares = 0.0, error_squares = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < elements; ++i) {
    const double error = static_cast<double>(sum[i]) - exact[i];
    squares += exact[i] * exact[i];
    error_squares += error * error;
    largest = std::max(largest, std::fabs(error));
  }
  return {.relative = std::sqrt(error_squares / squares),
          .largest = largest / std::sqrt(squares / static_cast<double>(elements))};
}

void print_table(const char* title, double Error::*which) {
  std::printf("\n%-26s", title);
  for (const Kind& kind : kinds) std::printf(" %12s", kind.name);
  std::printf("\n");
  for (const WireFormat format : every_wire_format) {
    std::printf("%-26s", std::string(to_string(format)).c_str());
    for (const Kind& kind : kinds)
      std::printf(" %12.2f", 100.0 * (error_of(codec::host_codec(format, ElementType::float32), kind).*which));
    std::printf("\n");
  }
}

}  // namespace

void print_codec_errors() {
  print_table("sum of 4: L2 error, %", &Error::relative);
  print_table("largest error / RMS, %", &Error::largest);
}

}  // namespace airamp::benchmarks
