// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Travelling rows sent by warps to warps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/device/rows/attempts.hpp"
#include "gpu/device/rows/row_form.hpp"
#include "tests/gpu/device/rows/travelling_rows.hpp"

namespace airamp::gpu::device {

/// The warps that are in step, one or two: their numbers.
using Wave = std::vector<int>;

/// What one warp sends to one other, one row after the other.
using Stream = std::vector<TravellingRow>;

/// What walks do with rows, in tiles of so many; as take() below called by all lanes of a warp.
template <class Element, int tile_rows = 1>
void push(Stream& stream) {
  using Codec = typename CodecOf<Element>::Codec;
  using Form = RowForm<Codec>;
  const auto lane = static_cast<std::size_t>(lane_index());
  Attempts attempts;
  for (std::size_t first = 0; first < stream.size(); first += tile_rows) {
    in_step();
    Vector row[tile_rows];
    for (int u = 0; u < tile_rows; ++u) {
      const auto* word = &stream[first + u].sent[4 * lane];
      const Vector v = {{word[0], word[1], word[2], word[3]}};
      row[u] = Codec::encode(&v);
    }
    typename Form::Ready ready[tile_rows];
    Form::template make_ready<tile_rows>(ready, row, attempts);
    for (int u = 0; u < tile_rows; ++u)
      Form::send(&stream[first + u].wire[lane], ready[u], stream[first + u].record.data());
  }
}

template <class Element>
void take(Stream& stream) {
  using Form = RowForm<typename CodecOf<Element>::Codec>;
  const auto lane = static_cast<std::size_t>(lane_index());
  for (std::size_t i = 0; i < stream.size(); ++i) {
    in_step();
    TravellingRow& row = stream[i];
    Vector v;
    do v = Form::load(&row.wire[lane]);
    while (any(Form::is_missing(v)));
    store_wire<false>(&row.wire[lane], all_holes());
    v = Form::received(
        v, [&] { return row.record.data(); }, own_completion);
    std::copy_n(v.word, 4, &row.received[4 * lane]);
  }
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

/// Stream i goes from warp i of the writer to warp i of the reader; which of them are in step is told for either. In
/// step are streams of the same length.
template <class Element, int tile_rows = 1>
testing::AssertionResult travel(std::vector<Stream> streams, const std::vector<Wave>& writers,
                                const std::vector<Wave>& readers) {
  const auto run = [&](const Wave& wave, auto step) {
    const auto lanes = static_cast<std::uint32_t>(wave.size()) * warp_lanes;
    emulated_gpus.launch(
        {.threads = lanes, .wave_lanes = lanes, .kernel = [&] { step(streams[wave[warp_in_block()]]); }});
    while (!emulated_gpus.are_idle())
      if (!emulated_gpus.go_on()) return false;
    return true;
  };
  emulated_gpus.reset(0);
  for (const Wave& wave : writers)
    if (!run(wave, push<Element, tile_rows>)) return testing::AssertionFailure() << "a writer never ends";
  for (const Stream& stream : streams)
    for (std::size_t i = 0; i < stream.size(); ++i)
      if (auto pushed = is_pushed_as_expected(stream[i]); !pushed)
        return pushed << " of row " << i << " of stream " << &stream - streams.data();
  for (const Wave& wave : readers)
    if (!run(wave, take<Element>)) return testing::AssertionFailure() << "a reader never ends";
  emulated_gpus.memory.deliver_all();
  for (const Stream& stream : streams)
    for (std::size_t i = 0; i < stream.size(); ++i)
      if (auto taken = is_taken(stream[i]); !taken)
        return taken << " of row " << i << " of stream " << &stream - streams.data();
  return testing::AssertionSuccess();
}

/// Streams of a row.
template <class Integer>
testing::AssertionResult travel(const std::vector<TravellingRow>& rows, const std::vector<Wave>& writers,
                                const std::vector<Wave>& readers) {
  std::vector<Stream> streams;
  for (const TravellingRow& row : rows) streams.push_back({row});
  return travel<Integer>(std::move(streams), writers, readers);
}

/// Where warps are on their own.
template <class Integer>
testing::AssertionResult travels(const TravellingRow& row) {
  return travel<Integer>(std::vector{row}, {{0}}, {{0}});
}

template <class Integer>
testing::AssertionResult travels(const Row& row) {
  return travels<Integer>(travelling<Integer>(row));
}

}  // namespace airamp::gpu::device
