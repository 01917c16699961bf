// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Speed of the host codecs on one core, beside memcpy of the same input in the same run. At the end a table of ratios:
// bytes of input elements per second over memcpy's bytes per second; and the error of each format on data of several
// kinds (codec_errors.hpp).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/codec_errors.hpp"
#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

namespace {

using airamp::ElementType;
using airamp::ReduceOp;
using airamp::WireFormat;
using airamp::codec::Codec;

constexpr std::size_t input_bytes = std::size_t{64} << 20;

struct AlignedDelete {
  void operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{64}); }
};
using Buffer = std::unique_ptr<std::byte[], AlignedDelete>;

/// A 64-byte aligned buffer whose pages are all touched.
Buffer make_buffer(std::size_t bytes) {
  Buffer buffer(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64})));
  std::memset(buffer.get(), 1, bytes);
  return buffer;
}

std::size_t element_count(ElementType type) { return input_bytes / airamp::size_of(type); }

/// Standard normals in `type`, the same 512 rows again and again.
Buffer make_normals(ElementType type) {
  constexpr std::size_t period = airamp::codec::wire_row_elements(WireFormat::mxfp4) * 512;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(period);
  for (float& value : values) value = normal(random);
  const std::size_t size = airamp::size_of(type);
  Buffer buffer = make_buffer(input_bytes);
  std::vector<std::byte> elements(period * size);
  for (std::size_t i = 0; i < period; ++i) {
    if (type == ElementType::float32) {
      std::memcpy(elements.data() + i * size, &values[i], size);
    } else if (type == ElementType::bfloat16) {
      const auto bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(values[i]) >> 16);
      std::memcpy(elements.data() + i * size, &bits, size);
    } else {
      const auto half = static_cast<_Float16>(values[i]);
      std::memcpy(elements.data() + i * size, &half, size);
    }
  }
  for (std::size_t offset = 0; offset < input_bytes; offset += elements.size()) {
    std::memcpy(buffer.get() + offset, elements.data(), std::min(elements.size(), input_bytes - offset));
  }
  return buffer;
}

std::size_t wire_bytes(const Codec& codec, ElementType type) {
  return codec.rows(element_count(type)) * airamp::codec::wire_row_bytes;
}

void copy_memory(benchmark::State& state) {
  const Buffer source = make_normals(ElementType::float16);
  const Buffer target = make_buffer(input_bytes);
  for (auto _ : state) {
    std::memcpy(target.get(), source.get(), input_bytes);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * input_bytes));
}

void encode(benchmark::State& state, const Codec& codec, ElementType type) {
  const Buffer input = make_normals(type);
  const Buffer wire = make_buffer(wire_bytes(codec, type));
  for (auto _ : state) {
    codec.encode(input.get(), element_count(type), wire.get());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * input_bytes));
}

Buffer make_wire(const Codec& codec, ElementType type) {
  const Buffer input = make_normals(type);
  Buffer wire = make_buffer(wire_bytes(codec, type));
  codec.encode(input.get(), element_count(type), wire.get());
  return wire;
}

void decode(benchmark::State& state, const Codec& codec, ElementType type) {
  const Buffer wire = make_wire(codec, type);
  const Buffer output = make_buffer(input_bytes);
  for (auto _ : state) {
    codec.decode(wire.get(), element_count(type), output.get());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * input_bytes));
}

/// Row by row into one row of accumulators, as a two-shot reduction does.
void accumulate(benchmark::State& state, const Codec& codec, ElementType type) {
  const Buffer wire = make_wire(codec, type);
  alignas(64) std::array<float, airamp::codec::wire_row_elements(WireFormat::mxfp4)> accumulators{};  // the longest
  for (auto _ : state) {
    for (std::size_t offset = 0; offset < wire_bytes(codec, type); offset += airamp::codec::wire_row_bytes) {
      codec.accumulate(wire.get() + offset, codec.row_elements(), ReduceOp::sum, accumulators.data());
    }
    benchmark::DoNotOptimize(accumulators);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * input_bytes));
}

/// Bytes are those of one input, whatever the number of wires.
void reduce(benchmark::State& state, const Codec& codec, ElementType type, std::size_t count) {
  std::vector<Buffer> wires;
  std::vector<const std::byte*> sources;
  for (std::size_t k = 0; k < count; ++k) {
    wires.push_back(make_wire(codec, type));
    sources.push_back(wires.back().get());
  }
  const Buffer result = make_buffer(wire_bytes(codec, type));
  for (auto _ : state) {
    codec.reduce(sources.data(), count, element_count(type), ReduceOp::sum, result.get());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * input_bytes));
}

/// Prints as usual and keeps the median speed of every benchmark.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const auto speed = run.counters.find("bytes_per_second");
      if (speed == run.counters.end() || run.run_type != Run::RT_Iteration) continue;
      speeds_[run.run_name.function_name].push_back(speed->second);
    }
  }

  void print_ratios() const {
    const double copy = median("memcpy");
    if (copy == 0.0) return;
    std::printf("\n%-32s %10s %10s\n", "64 MiB of elements, one core", "GB/s", "x memcpy");
    for (const auto& [name, unused] : speeds_) {
      std::printf("%-32s %10.2f %10.2f\n", name.c_str(), median(name) / 1e9, median(name) / copy);
    }
  }

 private:
  double median(const std::string& name) const {
    const auto found = speeds_.find(name);
    if (found == speeds_.end()) return 0.0;
    std::vector<double> sorted = found->second;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }

  std::map<std::string, std::vector<double>> speeds_;
};

void register_codec(WireFormat format, ElementType type, const std::string& type_name) {
  const Codec& codec = airamp::codec::host_codec(format, type);
  const std::string suffix = std::string("/").append(to_string(format)).append("/").append(type_name);
  const auto add = [](const std::string& name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), function, arguments...)->Unit(benchmark::kMillisecond);
  };
  add("encode" + suffix, encode, codec, type);
  add("decode" + suffix, decode, codec, type);
  add("accumulate" + suffix, accumulate, codec, type);
  add("reduce2" + suffix, reduce, codec, type, std::size_t{2});
  add("reduce4" + suffix, reduce, codec, type, std::size_t{4});
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RegisterBenchmark("memcpy", copy_memory)->Unit(benchmark::kMillisecond);
  for (const WireFormat format : airamp::every_wire_format) {
    register_codec(format, ElementType::float16, "float16");
    register_codec(format, ElementType::bfloat16, "bfloat16");
    register_codec(format, ElementType::float32, "float32");
  }
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
  airamp::benchmarks::print_codec_errors();
  benchmark::Shutdown();
  return 0;
}
