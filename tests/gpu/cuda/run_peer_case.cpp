// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/cuda/run_peer_case.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "tests/gpu/peer/expected_result.hpp"

namespace airamp::gpu::test {
namespace {

constexpr std::size_t margin_bytes = 64;

/// A buffer of the application's, with untouched bytes before and after it.
class GuardedBuffer {
 public:
  GuardedBuffer(const OpenedDevice& opened, const Bytes& content, std::size_t skipped_bytes)
      : opened_(opened),
        before_(margin_bytes + skipped_bytes),
        image_(before_ + content.size() + margin_bytes, untouched),
        memory_(image_.size()) {
    std::copy(content.begin(), content.end(), image_.begin() + static_cast<std::ptrdiff_t>(before_));
    opened.copy(memory_.data(), image_.data(), image_.size());
  }

  std::byte* data() const { return memory_.data() + before_; }

  /// The content; throws if something beside it has changed.
  Bytes read() const {
    Bytes now(image_.size());
    opened_.copy(now.data(), memory_.data(), now.size());
    const auto begin = now.begin() + static_cast<std::ptrdiff_t>(before_);
    const auto end = now.end() - static_cast<std::ptrdiff_t>(margin_bytes);
    const auto other = [](std::byte b) { return b != untouched; };
    if (std::any_of(now.begin(), begin, other) || std::any_of(end, now.end(), other))
      throw std::runtime_error("memory beside a buffer was written");
    return Bytes(begin, end);
  }

 private:
  const OpenedDevice& opened_;
  std::size_t before_;
  Bytes image_;
  DeviceMemory memory_;
};

/// Says where a region is not full of holes, and fills it for the next case.
std::string wrong_in_region(const OpenedDevice& opened, const Regions& regions, int rank) {
  Bytes bytes(regions.bytes());
  opened.copy(bytes.data(), regions[rank], bytes.size());
  const auto wrong = std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0xff}; });
  if (wrong == bytes.end()) return {};
  const std::ptrdiff_t offset = wrong - bytes.begin();
  std::fill(bytes.begin(), bytes.end(), std::byte{0xff});
  opened.copy(regions[rank], bytes.data(), bytes.size());
  return "no hole in the region at byte " + std::to_string(offset);
}

}  // namespace

PeerCollective collective_of(const PeerCase& c, const Rank& rank, const OpenedDevice& opened, const Regions& regions) {
  PeerCollective collective = collective_of(c, rank.rank());
  collective.multiprocessors = OpenedDevice::backend().multiprocessors(opened.device());
  for (int r = 0; r < c.size; ++r) collective.region[static_cast<std::size_t>(r)] = regions[r];
  return collective;
}

void launch_together(const Rank& rank, const OpenedDevice& opened, const PeerCollective& collective,
                     const std::string& what) {
  rank.meet();
  Error error;
  check(OpenedDevice::backend().launch(opened.queue(), collective, error), error);
  try {
    opened.wait();
  } catch (const std::exception& failure) {
    rank.fail(what + ": " + failure.what());
  }
}

std::string run_case(const Rank& rank, const OpenedDevice& opened, const Regions& regions, const PeerCase& c) {
  const std::size_t unit = size_of(c.type);
  const GuardedBuffer input(opened, c.in_place ? Bytes{} : input_of(c, rank.rank()), c.skipped * unit);
  const GuardedBuffer output(opened, output_before(c, rank.rank()), c.skipped * unit);
  PeerCollective collective = collective_of(c, rank, opened, regions);
  collective.input = input.data();
  collective.output = output.data();
  if (c.in_place) collective.input = output.data();
  if (c.in_place && c.pattern == Pattern::allgather)
    collective.input = output.data() + block_of(c, rank.rank()).offset * unit;

  launch_together(rank, opened, collective, to_string(c));
  std::string wrong = difference(c, output.read(), expected_output(c, rank.rank()));
  if (!c.in_place && input.read() != input_of(c, rank.rank())) wrong += " the input was written";
  return wrong + wrong_in_region(opened, regions, rank.rank());
}

}  // namespace airamp::gpu::test
