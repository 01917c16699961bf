// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/block_lengths.hpp"

#include <algorithm>
#include <cstring>

namespace airamp::pmpi {

HeardLengths tell_lengths(HostMeeting& meeting, int rank, int size, const BlockLengths& sent) noexcept {
  constexpr int in_a_meeting = HostMeeting::max_data_bytes / sizeof(std::uint64_t);
  const std::uint64_t own_longest = *std::max_element(sent.begin(), sent.begin() + size);
  HeardLengths heard;
  for (int first = 0; first < size; first += in_a_meeting) {
    const std::uint64_t number = meeting.meetings() + 1;
    const int count = std::min(in_a_meeting, size - first);
    std::memcpy(meeting.data(rank, number), &sent[static_cast<std::size_t>(first)],
                static_cast<std::size_t>(count) * sizeof(std::uint64_t));
    const HostMeeting::Words words = meeting.meet(own_longest);
    if (meeting.has_failed()) return heard;
    heard.longest = *std::max_element(words.begin(), words.begin() + size);
    if (rank < first || rank >= first + count) continue;
    for (int from = 0; from < size; ++from) {
      const std::byte* const told =
          meeting.data(from, number) + static_cast<std::size_t>(rank - first) * sizeof(std::uint64_t);
      std::memcpy(&heard.received[static_cast<std::size_t>(from)], told, sizeof(std::uint64_t));
    }
  }
  return heard;
}

}  // namespace airamp::pmpi
