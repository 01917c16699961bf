// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/copy_words.hpp"
#include "pmpi/algorithm/orders/short_reduction.hpp"
#include "pmpi/group/host/host_meeting.hpp"

namespace airamp::pmpi {

class HostGroup;

/// All that it takes to carry out calls of one length whose agreement is their exchange, found out beforehand. Good for
/// as long as no call of the communicator is looked at.
///
/// Vectors of so few bytes that they lie beside the words that the ranks say (HostMeeting::data) are reduced here, in
/// as little code as possible; all else the algorithm does.
struct BriefExchange {
  /// Before the meeting: leaves what the others need of `input`, which in a gather in place is in `output`.
  using LayOut = void (*)(const BriefExchange& exchange, const void* input, const void* output);
  /// Behind it, if all ranks said the same there. False if a rank is gone.
  using Take = bool (*)(const BriefExchange& exchange, const void* input, void* output);

  HostMeeting* meeting = nullptr;  ///< nullptr: calls want more than that
  LayOut leaves = nullptr;         ///< nullptr: the data lie beside the words
  Take takes = nullptr;
  void* algorithm = nullptr;        ///< whose those are, of its own type; of exchanges of blocks of any length, which
                                    ///< the caller carries out, their PlainBlocks
  HostGroup* group = nullptr;       ///< where it leaves its data, where that is to be known
  int lines_of_code = 4;            ///< that `takes` runs through, in one piece
  bool in_place = false;            ///< MPI_IN_PLACE
  ShortReduction reduce = nullptr;  ///< of what is short; nullptr: nothing is
  const SummationTree* order = nullptr;
  std::size_t elements = 0;  ///< of a rank's vector
  std::size_t bytes = 0;     ///< of it, or of a rank's block; beside the words a multiple of 4

  /// Leaves this rank's data for the next meeting.
  void lay_out(const void* input, const void* output) const {
    if (leaves != nullptr) return leaves(*this, input, output);
    base::copy_words(meeting->data(meeting->rank(), meeting->meetings() + 1), input, bytes);
  }

  /// Has the processor fetch what `take` runs through, where that is little. Not waited for.
  void fetch() const noexcept {
    constexpr int lines_of_reduction = 8;
    if (takes != nullptr) fetch_code(reinterpret_cast<const char*>(takes), lines_of_code);
    if (reduce == nullptr) return;
    fetch_code(reinterpret_cast<const char*>(reduce), lines_of_reduction);
    if (order->shape() != SummationTree::Shape::other) return;
    const auto& additions = order->additions();
    const auto* const first = reinterpret_cast<const char*>(additions.data());
    for (std::size_t at = 0; at < additions.size() * sizeof(additions[0]); at += 64) __builtin_prefetch(first + at);
  }

  /// Behind that meeting. False if a rank is gone.
  bool take(const void* input, void* output) const {
    if (takes != nullptr) return takes(*this, input, output);
    if (reduce == nullptr) return true;
    const std::byte* const first = meeting->data(0, meeting->meetings());
    reduce(*order, first, HostMeeting::data_stride, elements, static_cast<std::byte*>(output));
    return true;
  }

 private:
  static void fetch_code(const char* first, int lines) noexcept {
    for (int line = 0; line < lines; ++line) __builtin_prefetch(first + 64 * line, 0, 2);
  }
};

}  // namespace airamp::pmpi
