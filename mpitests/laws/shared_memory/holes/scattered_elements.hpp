// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "mpitests/committed_datatype.hpp"
#include "mpitests/laws/shared_memory/bytes.hpp"

namespace airamp::laws {

using Word = std::int32_t;
inline constexpr std::size_t words = 3;  // of an element
inline constexpr int margin = 64;        // bytes

/// How elements of three words lie in memory.
struct Layout {
  int extent;                     ///< bytes
  std::array<int, words> places;  ///< of the words, in bytes behind the beginning of the element
  std::shared_ptr<CommittedDatatype> type;
};

/// In a row, of a type without holes.
inline Layout row() {
  return {.extent = words * sizeof(Word),
          .places = {0, sizeof(Word), 2 * sizeof(Word)},
          .type = std::make_shared<CommittedDatatype>(
              [](MPI_Datatype* type) { MPI_Type_contiguous(words, MPI_INT32_T, type); })};
}

inline Layout layout(int extent, const std::array<int, words>& places) {
  return {.extent = extent,
          .places = places,
          .type = std::make_shared<CommittedDatatype>([&](MPI_Datatype* type) {
            std::array<MPI_Aint, words> displacements{places[0], places[1], places[2]};
            MPI_Datatype scattered = MPI_DATATYPE_NULL;
            MPI_Type_create_hindexed_block(words, 1, displacements.data(), MPI_INT32_T, &scattered);
            MPI_Type_create_resized(scattered, 0, extent, type);
            MPI_Type_free(&scattered);
          })};
}

/// So many elements in memory.
class Memory {
 public:
  Memory(const Layout& layout, int elements)
      : layout_(layout), bytes_(static_cast<std::size_t>(2 * margin + elements * layout.extent), untouched) {}

  void* at(int element) { return bytes_.data() + margin + element * layout_.extent; }
  MPI_Datatype type() const { return layout_.type->get(); }
  int extent() const { return layout_.extent; }

  /// What rank `from` sends to rank `to` as `count` elements of a round, from element `first` on.
  void put(int first, int count, int from, int to, int round) {
    for (int i = 0; i < count; ++i) {
      for (std::size_t word = 0; word < words; ++word) {
        const Word value = from * 1000003 + to * 10007 + round * 101 + i * 3 + static_cast<int>(word);
        std::memcpy(static_cast<std::byte*>(at(first + i)) + layout_.places[word], &value, sizeof(value));
      }
    }
  }

  bool operator==(const Memory& other) const { return bytes_ == other.bytes_; }

 private:
  Layout layout_;
  std::vector<std::byte> bytes_;
};

/// Blocks of a call with counts by rank, the last rank's first, an element apart.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> places;
  int elements = 1;
};

template <class Count>
Blocks blocks_of(int ranks, const Count& count) {
  Blocks blocks{.counts = std::vector<int>(static_cast<std::size_t>(ranks)),
                .places = std::vector<int>(static_cast<std::size_t>(ranks))};
  for (int rank = ranks - 1; rank >= 0; --rank) {
    const auto i = static_cast<std::size_t>(rank);
    blocks.counts[i] = count(rank);
    blocks.places[i] = blocks.elements;
    blocks.elements += blocks.counts[i] + 1;
  }
  return blocks;
}

/// Block `which`, as rank `from` sends it to rank `to`.
inline void put(Memory& memory, const Blocks& blocks, int which, int from, int to, int round) {
  const auto i = static_cast<std::size_t>(which);
  memory.put(blocks.places[i], blocks.counts[i], from, to, round);
}

/// How many elements one rank has for another, or for all.
inline int count_of(int longest, int from, int to, int round) {
  const int mixed = from * 7 + to * 13 + round * 5;
  return mixed % 4 == 0 ? 0 : mixed % 5 == 1 ? longest : longest * (mixed % 11) / 11;
}

}  // namespace airamp::laws
