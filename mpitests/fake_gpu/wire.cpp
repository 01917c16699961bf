// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/wire.hpp"

#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "testing/half.hpp"

namespace airamp::fake_gpu {
namespace {

/// A NaN wins over every number.
template <class T>
T combine(ReduceOp op, T a, T b) {
  using Wrapping =
      typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  switch (op) {
    case ReduceOp::sum:
      return static_cast<T>(static_cast<Wrapping>(a) + static_cast<Wrapping>(b));
    case ReduceOp::prod:
      return static_cast<T>(static_cast<Wrapping>(a) * static_cast<Wrapping>(b));
    case ReduceOp::max:
      return a != a || a >= b ? a : b;
    default:
      break;
  }
  return a != a || a <= b ? a : b;
}

/// Elements of type Stored, computed with as `to_number` makes them.
template <class Stored, class ToNumber, class FromNumber>
void reduce_as(ReduceOp op, const std::byte* const* wires, int ranks, std::uint64_t count, std::byte* result,
               ToNumber to_number, FromNumber from_number) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto number = [&](int rank) {
      Stored stored{};
      std::memcpy(&stored, wires[rank] + i * sizeof stored, sizeof stored);
      return to_number(stored);
    };
    auto reduced = number(0);
    for (int rank = 1; rank < ranks; ++rank) reduced = combine(op, reduced, number(rank));
    const Stored stored = from_number(reduced);
    std::memcpy(result + i * sizeof stored, &stored, sizeof stored);
  }
}

template <class Number>
void reduce_plain(ReduceOp op, const std::byte* const* wires, int ranks, std::uint64_t count, std::byte* result) {
  const auto same = [](Number number) { return number; };
  reduce_as<Number>(op, wires, ranks, count, result, same, same);
}

const codec::Codec* codec_of(std::optional<WireFormat> wire, DataType type) {
  if (!wire) return nullptr;
  const auto element = element_type(type);
  if (!element) std::abort();
  return &codec::host_codec(*wire, *element);
}

}  // namespace

Wire::Wire(std::optional<WireFormat> wire, DataType type, ReduceOp op)
    : codec_(codec_of(wire, type)), type_(type), op_(op) {}

std::uint64_t Wire::capacity(std::size_t bytes) const {
  return codec_ != nullptr ? bytes / codec::wire_row_bytes * codec_->row_elements() : bytes / size_of(type_);
}

std::size_t Wire::bytes(std::uint64_t count) const {
  return codec_ != nullptr ? codec_->rows(count) * codec::wire_row_bytes : count * size_of(type_);
}

void Wire::encode(const std::byte* elements, std::uint64_t count, std::byte* wire) const {
  if (count == 0) return;
  if (codec_ != nullptr) {
    codec_->encode(elements, count, wire);
  } else {
    std::memcpy(wire, elements, count * size_of(type_));
  }
}

void Wire::decode(const std::byte* wire, std::uint64_t count, std::byte* elements) const {
  if (count == 0) return;
  if (codec_ != nullptr) {
    codec_->decode(wire, count, elements);
  } else {
    std::memcpy(elements, wire, count * size_of(type_));
  }
}

void Wire::reduce(const std::byte* const* wires, int ranks, std::uint64_t count, std::byte* result) const {
  if (codec_ != nullptr) return codec_->reduce(wires, static_cast<std::size_t>(ranks), count, op_, result);
  switch (type_) {
    case DataType::float16:
      return reduce_as<std::uint16_t>(op_, wires, ranks, count, result, testing::float_from_float16,
                                      testing::float16_from_float);
    case DataType::bfloat16:
      return reduce_as<std::uint16_t>(op_, wires, ranks, count, result, testing::float_from_bfloat16,
                                      testing::bfloat16_from_float);
    case DataType::float32:
      return reduce_plain<float>(op_, wires, ranks, count, result);
    case DataType::float64:
      return reduce_plain<double>(op_, wires, ranks, count, result);
    case DataType::int32:
      return reduce_plain<std::int32_t>(op_, wires, ranks, count, result);
    case DataType::uint32:
      return reduce_plain<std::uint32_t>(op_, wires, ranks, count, result);
    case DataType::int64:
      return reduce_plain<std::int64_t>(op_, wires, ranks, count, result);
    case DataType::uint64:
      return reduce_plain<std::uint64_t>(op_, wires, ranks, count, result);
    default:
      break;
  }
  std::abort();  // bytes have no arithmetic
}

}  // namespace airamp::fake_gpu
