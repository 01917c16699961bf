// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Rows of integers, bytes or floating-point numbers on their way from warps to warps, and what must be seen of them
// there.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "gpu/device/exact_codec.hpp"
#include "gpu/device/lossless_codec.hpp"
#include "gpu/device/row_form.hpp"

namespace airamp::gpu::device {

/// The words of lane 0's vector, then lane 1's.
using Row = std::array<std::uint32_t, 128>;

/// What looks like a hole or an escape on the wire, where the row travels whole.
inline constexpr std::uint32_t hole_on_wire = hole_word ^ turned_bits;
inline constexpr std::uint32_t escape_on_wire = escape_word ^ turned_bits;

// What names rows of floating-point numbers, in place of an integer.
struct Float16 {};
struct Bfloat16 {};
struct Float32 {};
struct Float64 {};

template <class Element>
struct CodecOf {
  static constexpr DataType type = std::is_same_v<Element, Float16>        ? DataType::float16
                                   : std::is_same_v<Element, Bfloat16>     ? DataType::bfloat16
                                   : std::is_same_v<Element, Float32>      ? DataType::float32
                                   : std::is_same_v<Element, Float64>      ? DataType::float64
                                   : std::is_same_v<Element, std::uint8_t> ? DataType::byte
                                   : std::is_same_v<Element, std::int32_t> ? DataType::int32
                                                                           : DataType::int64;
  using Codec = std::conditional_t<(type <= DataType::float64), FloatCodec<type>, ExactCodec<type>>;
};

/// Integers travel by planes, bytes row by row.
template <class Integer>
inline constexpr bool by_planes = sizeof(Integer) > 1;

/// Planes that the row's values need by the definition: all fit so many quarters of their type's bits, less one bit.
template <class Integer>
int planes_needed_by(const Row& row) {
  if constexpr (!by_planes<Integer>) return 4;
  constexpr int quarter_bits = 2 * sizeof(Integer);
  int planes = 1;
  for (const Integer value : std::bit_cast<std::array<Integer, sizeof(Row) / sizeof(Integer)>>(row)) {
    while (planes < 4) {
      const auto bound = std::int64_t{1} << (planes * quarter_bits - 2);
      if (value >= -bound && value < bound) break;
      ++planes;
    }
  }
  return planes;
}

/// Whether a row that travels whole needs a record: it has words that look like holes or escapes, or looks narrow.
template <class Integer>
bool needs_record(const Row& row) {
  std::uint32_t first_bits = 0;
  for (std::size_t l = 0; l < 32; ++l) first_bits |= ((row[4 * l] ^ turned_bits) >> 31) << l;
  for (int planes = 1; planes < 4; ++planes)
    if (by_planes<Integer> && first_bits == plane_signature(planes)) return true;
  return std::any_of(row.begin(), row.end(), [](auto word) { return word == hole_on_wire || word == escape_on_wire; });
}

inline LaunchState nobody_leaves;
inline const Completion own_completion = {&nobody_leaves, nullptr, nullptr};

/// What one warp sends to one other.
struct TravellingRow {
  Row sent;
  int planes;  // that must travel
  int words = 32 * planes;
  bool with_record;
  std::array<Vector, 32> wire = {};
  std::array<Vector, 2> record = {};
  Row received = {};
  Row expected = sent;

  TravellingRow(const Row& row, int expected_planes, bool expected_record)
      : sent(row), planes(expected_planes), with_record(expected_record) {
    wire.fill(all_holes());
    record.fill(all_holes());
  }
};

template <class Integer>
TravellingRow travelling(const Row& row) {
  const int planes = planes_needed_by<Integer>(row);
  return {row, planes, planes == 4 && needs_record<Integer>(row)};
}

/// The warps that are in step, one or two: their numbers.
using Wave = std::vector<int>;

/// What Channel does with one row, as take() below; called by all lanes of a warp.
template <class Element>
void push(TravellingRow& row) {
  using Codec = typename CodecOf<Element>::Codec;
  const auto lane = static_cast<std::size_t>(lane_index());
  const auto* word = &row.sent[4 * lane];
  const Vector v = {{word[0], word[1], word[2], word[3]}};
  RowForm<Codec>::send(&row.wire[lane], RowForm<Codec>::ready(Codec::encode(&v)), row.record.data());
}

template <class Element>
void take(TravellingRow& row) {
  using Form = RowForm<typename CodecOf<Element>::Codec>;
  const auto lane = static_cast<std::size_t>(lane_index());
  Vector v;
  do v = Form::load(&row.wire[lane]);
  while (any(Form::is_missing(v)));
  store_wire<false>(&row.wire[lane], all_holes());
  v = Form::received(
      v, [&] { return row.record.data(); }, own_completion);
  std::copy_n(v.word, 4, &row.received[4 * lane]);
}

/// How often each of so many words was stored.
inline std::vector<int> times_stored(const std::uint32_t* begin, int words) {
  std::vector<int> times(words);
  for (const auto& store : emulated_gpus.memory.stores())
    for (const std::uint32_t* to = store.to; to < store.to + store.words; ++to)
      if (to >= begin && to < begin + words) ++times[to - begin];
  return times;
}

inline testing::AssertionResult is_pushed_as_expected(const TravellingRow& row) {
  std::vector<int> expected_times(128, 0);
  std::fill_n(expected_times.begin(), row.words, 1);
  const auto times = times_stored(row.wire[0].word, 128);
  if (times != expected_times)
    return testing::AssertionFailure() << std::count(times.begin(), times.end(), 1) << " words stored once instead of "
                                       << row.words;
  if (times_stored(row.record[0].word, 8) != std::vector<int>(8, row.with_record ? 1 : 0))
    return testing::AssertionFailure() << (row.with_record ? "no record" : "a needless record");
  return testing::AssertionSuccess();
}

inline testing::AssertionResult is_taken(const TravellingRow& row) {
  const auto is_empty = [](const Vector& v) { return std::count(v.word, v.word + 4, hole_word) == 4; };
  if (row.received != row.expected) return testing::AssertionFailure() << "other values received";
  if (!std::all_of(row.wire.begin(), row.wire.end(), is_empty))
    return testing::AssertionFailure() << "the row is left over";
  if (!std::all_of(row.record.begin(), row.record.end(), is_empty))
    return testing::AssertionFailure() << "the record is left over";
  return testing::AssertionSuccess();
}

/// Row i goes from warp i of the writer to warp i of the reader; which of them are in step is told for either.
template <class Integer>
testing::AssertionResult travel(std::vector<TravellingRow> rows, const std::vector<Wave>& writers,
                                const std::vector<Wave>& readers) {
  const auto run = [&](const Wave& wave, auto step) {
    const auto lanes = static_cast<std::uint32_t>(wave.size()) * warp_lanes;
    emulated_gpus.launch({.threads = lanes, .wave_lanes = lanes, .kernel = [&] { step(rows[wave[warp_in_block()]]); }});
    while (!emulated_gpus.are_idle())
      if (!emulated_gpus.go_on()) return false;
    return true;
  };
  emulated_gpus.reset(0);
  for (const Wave& wave : writers)
    if (!run(wave, push<Integer>)) return testing::AssertionFailure() << "a writer never ends";
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (auto pushed = is_pushed_as_expected(rows[i]); !pushed) return pushed << " of row " << i;
  for (const Wave& wave : readers)
    if (!run(wave, take<Integer>)) return testing::AssertionFailure() << "a reader never ends";
  emulated_gpus.memory.deliver_all();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (auto taken = is_taken(rows[i]); !taken) return taken << " of row " << i;
  return testing::AssertionSuccess();
}

/// Where warps are on their own.
template <class Integer>
testing::AssertionResult travels(const TravellingRow& row) {
  return travel<Integer>({row}, {{0}}, {{0}});
}

template <class Integer>
testing::AssertionResult travels(const Row& row) {
  return travels<Integer>(travelling<Integer>(row));
}

}  // namespace airamp::gpu::device
