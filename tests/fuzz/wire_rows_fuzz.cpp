// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: whatever bytes wire rows and elements hold, every codec of this host gives the reference's bits, reads
// and writes nothing outside, and lets no poison become a number. The first byte of the input says which format and
// element type, the second one how many wires are reduced, the next two how many elements there are; the rest is the
// wires' bytes, and those of the elements, over and over.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "codec/codec.hpp"
#include "codec/wire_format_traits.hpp"
#include "tests/codec/codec_test_support.hpp"
#include "tests/codec/row_places.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using namespace airamp;
using codec::Codec;
using codec::wire_row_bytes;
using codec::wire_row_elements;
using codec::wire_rows;
using fuzz::require;

/// Rows and nothing behind them, so that the address sanitizer sees who reads on.
struct alignas(64) Row {
  std::array<std::byte, wire_row_bytes> bytes;
};
using Wire = std::vector<Row>;

const std::byte* bytes_of(const Wire& wire) { return reinterpret_cast<const std::byte*>(wire.data()); }
std::byte* bytes_of(Wire& wire) { return reinterpret_cast<std::byte*>(wire.data()); }

/// Gives the input's bytes over and over.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  void fill(std::byte* place, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) place[i] = static_cast<std::byte>(data_[next_++ % size_]);
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t next_ = 0;
};

/// Whether the page of the format (docs/codecs.md) has NaN for an element: its own code or its scale says so.
bool is_poison(WireFormat format, const Wire& wire, std::size_t index) {
  const std::byte* row = wire[index / wire_row_elements(format)].bytes.data();
  const std::size_t in_row = index % wire_row_elements(format);
  const bool has_codes = format != WireFormat::mxfp4 || row[510] > std::byte{1};
  const unsigned magnitudes = (1u << (codec::test::bits_of_element(format) - 1)) - 1;
  if (has_codes && (codec::test::code_at(row, format, in_row) & magnitudes) == magnitudes) return true;
  return codec::test::scale_at(row, format, codec::test::block_of(format, in_row)) == 0xff;
}

bool is_finite(std::uint32_t bits, ElementType type) { return std::isfinite(codec::test::value_of(bits, type)); }

/// Decoded to a place that is not aligned and ends where the elements end.
std::vector<std::uint32_t> decode(const Codec& codec, const Wire& wire, std::size_t elements, ElementType type) {
  constexpr std::size_t offset = 1;
  std::vector<std::byte> place(offset + elements * size_of(type));
  codec.decode(bytes_of(wire), elements, place.data() + offset);
  return codec::test::unpack({place.begin() + offset, place.end()}, type);
}

Wire encode(const Codec& codec, const std::vector<std::byte>& elements, ElementType type) {
  const std::size_t count = elements.size() / size_of(type);
  Wire wire(codec.rows(count));
  codec.encode(elements.data(), count, bytes_of(wire));
  return wire;
}

bool same(const Wire& one, const Wire& other) {
  return one.empty() || std::memcmp(one.data(), other.data(), one.size() * wire_row_bytes) == 0;
}

bool has_hole(const Wire& wire) {
  return std::ranges::any_of(wire, [](const Row& row) {
    std::array<std::uint32_t, wire_row_bytes / 4> words;
    std::memcpy(words.data(), row.bytes.data(), wire_row_bytes);
    return std::ranges::count(words, 0xffffffffu) > 0;
  });
}

std::vector<float> accumulate(const Codec& codec, const Wire& wire, std::size_t elements, ReduceOp op,
                              std::vector<float> accumulators) {
  codec.accumulate(bytes_of(wire), elements, op, accumulators.data());
  return accumulators;
}

Wire reduce(const Codec& codec, const std::vector<Wire>& wires, std::size_t elements, ReduceOp op) {
  std::vector<const std::byte*> sources;
  for (const Wire& wire : wires) sources.push_back(bytes_of(wire));
  Wire result(wires.front().size());
  codec.reduce(sources.data(), sources.size(), elements, op, bytes_of(result));
  return result;
}

/// What must hold of the reference, and that the others give the same.
struct Checks {
  codec::test::FormatAndType which;
  const Codec& reference = codec::host_reference_codec(which.format, which.type);
  std::vector<codec::test::TestedCodec> others = codec::test::simd_codecs(which.format, which.type);

  void decoding(const Wire& wire, std::size_t elements) const {
    const std::vector<std::uint32_t> decoded = decode(reference, wire, elements, which.type);
    for (std::size_t i = 0; i < elements; ++i) {
      require(!is_poison(which.format, wire, i) || std::isnan(codec::test::value_of(decoded[i], which.type)),
              "poison stays NaN");
    }
    for (const auto& other : others)
      require(decode(*other.codec, wire, elements, which.type) == decoded, "decoding gives the reference's bits");
  }

  void encoding(const std::vector<std::byte>& elements) const {
    const std::vector<std::uint32_t> bits = codec::test::unpack(elements, which.type);
    const Wire wire = encode(reference, elements, which.type);
    require(!has_hole(wire), "no word of a row is all ones");
    const std::vector<std::uint32_t> decoded = decode(reference, wire, bits.size(), which.type);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      require(is_finite(bits[i], which.type) == is_finite(decoded[i], which.type),
              "what is finite stays so, and no more");
    }
    for (const auto& other : others)
      require(same(encode(*other.codec, elements, which.type), wire), "encoding gives the reference's bits");
  }

  void reducing(const std::vector<Wire>& wires, std::size_t elements, ReduceOp op,
                const std::vector<float>& accumulators) const {
    const std::vector<float> sums = accumulate(reference, wires.front(), elements, op, accumulators);
    const Wire result = reduce(reference, wires, elements, op);
    require(!has_hole(result), "no word of a result is all ones");
    const std::vector<std::uint32_t> decoded = decode(reference, result, elements, which.type);
    for (std::size_t i = 0; i < elements; ++i) {
      require(!is_poison(which.format, wires.front(), i) || std::isnan(sums[i]), "poison stays NaN in an accumulator");
      const bool poisoned =
          std::ranges::any_of(wires, [&](const Wire& wire) { return is_poison(which.format, wire, i); });
      require(!poisoned || !is_finite(decoded[i], which.type), "poison is not reduced to a number");
    }
    for (const auto& other : others) {
      require(codec::test::same_values(accumulate(*other.codec, wires.front(), elements, op, accumulators), sums),
              "accumulating gives the reference's values");
      require(same(reduce(*other.codec, wires, elements, op), result), "reducing gives the reference's bits");
    }
  }
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 4;
  constexpr std::size_t most_elements = 3 * wire_row_elements(WireFormat::mxfp8_e4m3) + 2;
  if (size <= head) return 0;
  static const std::vector<codec::test::FormatAndType> all = codec::test::all_formats_and_types();
  const Checks checks{.which = all[data[0] % all.size()]};
  const std::size_t elements = (std::size_t{data[2]} << 8U | data[3]) % most_elements;
  Bytes bytes(data + head, size - head);
  std::vector<Wire> wires(1 + data[1] % 3, Wire(wire_rows(checks.which.format, elements)));
  for (Wire& wire : wires) bytes.fill(bytes_of(wire), wire.size() * wire_row_bytes);
  std::vector<std::byte> input(elements * size_of(checks.which.type));
  bytes.fill(input.data(), input.size());
  std::vector<float> accumulators(wires.front().size() * wire_row_elements(checks.which.format));
  bytes.fill(reinterpret_cast<std::byte*>(accumulators.data()), accumulators.size() * sizeof(float));
  checks.decoding(wires.front(), elements);
  checks.encoding(input);
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min})
    checks.reducing(wires, elements, op, accumulators);
  return 0;
}
