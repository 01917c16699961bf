// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/peer/expected_result.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "codec/element_conversion.hpp"

namespace airamp::gpu::test {
namespace {

template <class T>
T load(const std::byte* bytes, std::uint64_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof value, sizeof value);
  return value;
}

template <class T>
T apply(ReduceOp op, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (op == ReduceOp::sum) return a + b;
    if (op == ReduceOp::prod) return a * b;
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    if (op == ReduceOp::sum) return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    if (op == ReduceOp::prod) return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
  }
  if (op == ReduceOp::max) return b > a ? b : a;
  return b < a ? b : a;
}

/// Reduces `inputs`, all of the same length, as numbers of type T.
template <class T, class Load, class Store>
Bytes reduce_as(const PeerCase& c, const std::vector<Bytes>& inputs, Load load_one, Store store_one) {
  Bytes result(inputs[0].size());
  for (std::uint64_t i = 0; i < result.size() / size_of(c.type); ++i) {
    T value = load_one(inputs[0].data(), i);
    for (std::size_t r = 1; r < inputs.size(); ++r) value = apply<T>(c.op, value, load_one(inputs[r].data(), i));
    store_one(value, result.data(), i);
  }
  return result;
}

template <class T>
Bytes reduce_plain(const PeerCase& c, const std::vector<Bytes>& inputs) {
  return reduce_as<T>(c, inputs, load<T>, [](T value, std::byte* to, std::uint64_t index) {
    std::memcpy(to + index * sizeof value, &value, sizeof value);
  });
}

template <ElementType type>
Bytes reduce_half(const PeerCase& c, const std::vector<Bytes>& inputs) {
  return reduce_as<float>(c, inputs, codec::load_element<type>, codec::store_element<type>);
}

Bytes reduce_lossless(const PeerCase& c, const std::vector<Bytes>& inputs) {
  switch (c.type) {
    case DataType::float16:
      return reduce_half<ElementType::float16>(c, inputs);
    case DataType::bfloat16:
      return reduce_half<ElementType::bfloat16>(c, inputs);
    case DataType::float32:
      return reduce_plain<float>(c, inputs);
    case DataType::float64:
      return reduce_plain<double>(c, inputs);
    case DataType::int32:
      return reduce_plain<std::int32_t>(c, inputs);
    case DataType::uint32:
      return reduce_plain<std::uint32_t>(c, inputs);
    case DataType::int64:
      return reduce_plain<std::int64_t>(c, inputs);
    default:
      return reduce_plain<std::uint64_t>(c, inputs);
  }
}

const codec::Codec& codec_of(const PeerCase& c) { return codec::host_reference_codec(*c.wire, *element_type(c.type)); }

Bytes encoded(const PeerCase& c, const Bytes& elements) {
  const std::size_t count = elements.size() / size_of(c.type);
  Bytes wire(codec::wire_rows(*c.wire, count) * codec::wire_row_bytes);
  codec_of(c).encode(elements.data(), count, wire.data());
  return wire;
}

Bytes decoded(const PeerCase& c, const Bytes& wire, std::size_t count) {
  Bytes elements(count * size_of(c.type));
  codec_of(c).decode(wire.data(), count, elements.data());
  return elements;
}

Bytes reduced(const PeerCase& c, const std::vector<Bytes>& inputs) {
  if (!c.wire) return reduce_lossless(c, inputs);
  const std::size_t count = inputs[0].size() / size_of(c.type);
  std::vector<Bytes> wires;
  std::vector<const std::byte*> sources;
  wires.reserve(inputs.size());
  sources.reserve(inputs.size());
  for (const Bytes& input : inputs) wires.push_back(encoded(c, input));
  for (const Bytes& wire : wires) sources.push_back(wire.data());
  Bytes result(wires[0].size());
  codec_of(c).reduce(sources.data(), sources.size(), count, c.op, result.data());
  return decoded(c, result, count);
}

Bytes moved(const PeerCase& c, const Bytes& elements) {
  if (!c.wire) return elements;
  return decoded(c, encoded(c, elements), elements.size() / size_of(c.type));
}

bool is_nan(DataType type, const std::byte* bytes, std::uint64_t index) {
  switch (type) {
    case DataType::float16:
      return std::isnan(codec::load_element<ElementType::float16>(bytes, index));
    case DataType::bfloat16:
      return std::isnan(codec::load_element<ElementType::bfloat16>(bytes, index));
    case DataType::float32:
      return std::isnan(load<float>(bytes, index));
    case DataType::float64:
      return std::isnan(load<double>(bytes, index));
    default:
      return false;
  }
}

/// Of how many ranks, from rank 0 on, a rank's result is.
int sources_of(const PeerCase& c, int rank) {
  if (c.pattern == Pattern::reduce) return rank == c.root ? c.size : 0;
  if (c.pattern == Pattern::scan) return rank + 1;
  return c.pattern == Pattern::exscan ? rank : c.size;
}

/// Of which part of the vectors.
Block reduced_block(const PeerCase& c, int rank) {
  if (c.pattern == Pattern::reduce_scatter) return result_block(c, rank);
  if (c.pattern == Pattern::reduce_scatter_block)
    return {.offset = c.elements * static_cast<std::uint64_t>(rank), .elements = c.elements};
  return {.offset = 0, .elements = c.elements};
}

}  // namespace

Bytes expected_output(const PeerCase& c, int rank) {
  const std::size_t unit = size_of(c.type);
  Bytes output = output_before(c, rank);
  const auto place = [&](const Bytes& bytes, std::size_t offset) {
    std::copy(bytes.begin(), bytes.end(), output.begin() + static_cast<std::ptrdiff_t>(offset));
  };
  if (c.pattern == Pattern::bcast) {
    if (rank != c.root) place(moved(c, input_of(c, c.root)), 0);
    return output;
  }
  if (c.pattern == Pattern::allgather) {
    for (int r = 0; r < c.size; ++r) place(moved(c, input_of(c, r)), block_of(c, r).offset * unit);
    return output;
  }
  if (c.pattern == Pattern::alltoallv) {
    for (int r = 0; r < c.size; ++r) {
      const Bytes input = input_of(c, r);
      const auto begin = input.begin() + static_cast<std::ptrdiff_t>(sent_block(c, r, rank).offset * unit);
      const auto kept = static_cast<std::ptrdiff_t>(kept_elements(c, rank, r) * unit);
      place(Bytes(begin, begin + kept), received_block(c, rank, r).offset * unit);
    }
    return output;
  }
  const int sources = sources_of(c, rank);
  if (sources == 0) return output;
  const Block block = reduced_block(c, rank);
  std::vector<Bytes> inputs;
  for (int r = 0; r < sources; ++r) {
    const Bytes input = input_of(c, r);
    const auto begin = input.begin() + static_cast<std::ptrdiff_t>(block.offset * unit);
    inputs.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(block.elements * unit));
  }
  place(reduced(c, inputs), 0);
  return output;
}

std::string difference(const PeerCase& c, const Bytes& got, const Bytes& wanted) {
  const std::size_t unit = size_of(c.type);
  for (std::uint64_t i = 0; i < wanted.size() / unit; ++i) {
    if (std::memcmp(got.data() + i * unit, wanted.data() + i * unit, unit) == 0) continue;
    if (reduces(c.pattern) && !c.wire && is_nan(c.type, got.data(), i) && is_nan(c.type, wanted.data(), i)) continue;
    std::uint64_t got_bits = 0;
    std::uint64_t wanted_bits = 0;
    std::memcpy(&got_bits, got.data() + i * unit, unit);
    std::memcpy(&wanted_bits, wanted.data() + i * unit, unit);
    return "element " + std::to_string(i) + " is " + std::to_string(got_bits) + " instead of " +
           std::to_string(wanted_bits) + " (bits)";
  }
  return {};
}

}  // namespace airamp::gpu::test
