// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/trial.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "pmpi/call/movements/packed_elements.hpp"

namespace airamp::pmpi {
namespace {

struct Range {
  std::byte* begin;
  std::size_t bytes;
};

/// What the call writes, in rank order.
std::vector<Range> output_ranges(const CollectiveData& data, std::size_t element_bytes) {
  if (data.blocks.empty()) {
    return {{static_cast<std::byte*>(data.output), data.elements * data.outputs * element_bytes}};
  }
  std::vector<Range> ranges;
  for (const GatherBlock& block : data.blocks) ranges.push_back({block.output, block.elements * element_bytes});
  return ranges;
}

std::size_t total(const std::vector<Range>& ranges) {
  std::size_t bytes = 0;
  for (const Range& range : ranges) bytes += range.bytes;
  return bytes;
}

/// Host buffers: the algorithm's result goes to scratch right away.
class HostTrial final : public Trial {
 public:
  HostTrial(CollectiveData data, const LocalFacts& facts)
      : type_(facts.type),
        data_(std::move(data)),
        native_(output_ranges(data_, size_of(facts.type))),
        scratch_(total(native_)) {
    std::byte* next = scratch_.data();
    if (next == nullptr) return;
    // gaps stay as they are, in the native result and in this one
    if (has_gap(type_)) std::memcpy(next, data_.output, native_.front().bytes);
    if (data_.blocks.empty()) data_.output = next;
    for (GatherBlock& block : data_.blocks) {
      block.output = next;
      next += block.elements * size_of(type_);
    }
  }

  bool ready() const override { return scratch_.data() != nullptr || total(native_) == 0; }
  const CollectiveData& data() const override { return data_; }
  bool restore_input() override { return true; }
  bool keep_result() override { return true; }

  ResultError compare() override {
    pack();
    ResultError error;
    const std::byte* result = scratch_.data();
    for (const Range& range : native_) {
      error.add(type_, range.begin, result, range.bytes / size_of(type_));
      result += range.bytes;
    }
    return error;
  }

  bool equals_native() override {
    pack();
    const std::byte* result = scratch_.data();
    for (const Range& range : native_) {
      if (range.bytes > 0 && std::memcmp(range.begin, result, range.bytes) != 0) return false;
      result += range.bytes;
    }
    return true;
  }

 private:
  /// What lies in holes is not compared.
  void pack() {
    if (data_.packed != nullptr) data_.packed->pack_taken();
  }

  DataType type_;
  CollectiveData data_;
  std::vector<Range> native_;
  MeasuringScratch scratch_;
};

/// GPU buffers: device memory is scarce, so results go to the receive buffer, one after the other, the native one last.
/// Samples of them are compared on the host; an input that would be overwritten is kept there.
class DeviceTrial final : public Trial {
 public:
  DeviceTrial(const CollectiveCall& call, CollectiveData data, const LocalFacts& facts, GpuDevice& device)
      : device_(device), type_(facts.type), data_(std::move(data)) {
    const std::vector<Range> outputs = output_ranges(data_, size_of(type_));
    if (facts.lossy) sample(outputs);
    for (const Range& range : outputs) {
      // an empty block, of any rank, may begin where this rank's input does
      if (range.begin == data_.input && range.bytes > 0 && call.kind() != Kind::bcast) overwritten_ = range;
    }
    input_ = std::make_unique<MeasuringScratch>(overwritten_.bytes);
    result_ = std::make_unique<MeasuringScratch>(total(samples_));
    native_ = std::make_unique<MeasuringScratch>(total(samples_));
    ready_ = there(*input_, overwritten_.bytes) && there(*result_, total(samples_)) &&
             there(*native_, total(samples_)) && device_.copy(input_->data(), overwritten_.begin, overwritten_.bytes);
  }

  bool ready() const override { return ready_; }
  const CollectiveData& data() const override { return data_; }
  bool restore_input() override { return device_.copy(overwritten_.begin, input_->data(), overwritten_.bytes); }
  bool keep_result() override { return fetch(result_->data()); }

  ResultError compare() override {
    ResultError error;
    const std::size_t elements = total(samples_) / size_of(type_);
    if (fetch(native_->data())) error.add(type_, native_->data(), result_->data(), elements);
    return error;
  }

 private:
  static constexpr std::size_t sample_bytes = 1U << 20U;
  static constexpr std::size_t max_samples = 16;

  static bool there(const MeasuringScratch& memory, std::size_t bytes) {
    return bytes == 0 || memory.data() != nullptr;
  }

  /// Everything if it is little, else pieces spread over it.
  void sample(const std::vector<Range>& outputs) {
    const std::size_t pieces = std::max<std::size_t>(1, max_samples / outputs.size());
    for (const Range& range : outputs) {
      if (range.bytes <= pieces * sample_bytes) {
        samples_.push_back(range);
        continue;
      }
      const std::size_t step = (range.bytes - sample_bytes) / (pieces > 1 ? pieces - 1 : 1) / 8 * 8;
      for (std::size_t i = 0; i < pieces; ++i) samples_.push_back({range.begin + i * step, sample_bytes});
    }
  }

  bool fetch(std::byte* to) {
    for (const Range& piece : samples_) {
      if (!device_.copy(to, piece.begin, piece.bytes)) return false;
      to += piece.bytes;
    }
    return true;
  }

  GpuDevice& device_;
  DataType type_;
  CollectiveData data_;
  std::vector<Range> samples_;
  Range overwritten_{nullptr, 0};
  std::unique_ptr<MeasuringScratch> input_;
  std::unique_ptr<MeasuringScratch> result_;
  std::unique_ptr<MeasuringScratch> native_;
  bool ready_ = false;
};

}  // namespace

std::unique_ptr<Trial> Trial::make(const CollectiveCall& call, CollectiveData data, const LocalFacts& facts,
                                   GpuDevice* device) {
  if (device == nullptr) return std::make_unique<HostTrial>(std::move(data), facts);
  return std::make_unique<DeviceTrial>(call, std::move(data), facts, *device);
}

}  // namespace airamp::pmpi
