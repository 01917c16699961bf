// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/datatype_rows.hpp"

#include <algorithm>
#include <limits>

#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/datatype_layout.hpp"
#include "pmpi/types/datatype_span.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::byte written{0xff};

/// Which bytes of one element's true extent MPI writes, found out by having it write them; empty if it cannot, which is
/// so of elements of more than 2 GiB.
std::vector<std::byte> written_bytes(MPI_Datatype type, const Span& element) {
  const auto extent = static_cast<std::size_t>(element.end - element.begin);
  const std::uint64_t size = payload_bytes(1, type);
  if (size == 0 || size > std::numeric_limits<int>::max() / 2) return {};
  int packed_bytes = 0;
  const Native& mpi = native();
  if (mpi.Pack_size(1, type, MPI_COMM_SELF, &packed_bytes) != MPI_SUCCESS) return {};
  const std::vector<std::byte> source(extent, written);
  std::vector<std::byte> packed(static_cast<std::size_t>(packed_bytes));
  std::vector<std::byte> result(extent);
  int end = 0;
  int position = 0;
  if (mpi.Pack(source.data() - element.begin, 1, type, packed.data(), packed_bytes, &end, MPI_COMM_SELF) !=
          MPI_SUCCESS ||
      mpi.Unpack(packed.data(), end, &position, result.data() - element.begin, 1, type, MPI_COMM_SELF) != MPI_SUCCESS) {
    return {};
  }
  return result;
}

/// Adds one row behind the others; rows of one length at one distance become one entry.
void append(std::vector<Rows>& rows, std::ptrdiff_t begin, std::size_t bytes) {
  if (!rows.empty() && rows.back().bytes == bytes) {
    Rows& last = rows.back();
    const auto distance = static_cast<std::size_t>(begin - last.begin);
    if (last.count == 1) last.stride = distance;
    if (distance == last.count * last.stride) {
      ++last.count;
      return;
    }
  }
  rows.push_back({.begin = begin, .bytes = bytes, .stride = bytes, .count = 1});
}

/// Of one element, from its beginning to its end.
std::vector<Rows> rows_of_element(MPI_Datatype type) {
  const Span element = span_of(type, 0, 1);
  const std::vector<std::byte> bytes = written_bytes(type, element);
  if (bytes.empty()) {
    const auto whole = static_cast<std::size_t>(element.end - element.begin);
    return {{.begin = element.begin, .bytes = whole, .stride = whole, .count = 1}};
  }
  std::vector<Rows> rows;
  for (auto begin = std::find(bytes.begin(), bytes.end(), written); begin != bytes.end();) {
    const auto end = std::find_if(begin, bytes.end(), [](std::byte byte) { return byte != written; });
    append(rows, element.begin + (begin - bytes.begin()), static_cast<std::size_t>(end - begin));
    begin = std::find(end, bytes.end(), written);
  }
  return rows;
}

}  // namespace

std::vector<Rows> rows_of(MPI_Datatype type, std::ptrdiff_t first, MPI_Count count) {
  if (count <= 0 || payload_bytes(1, type) == 0) return {};
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  if (native().Type_get_extent(type, &lower_bound, &extent) != MPI_SUCCESS) return {};
  const auto elements = static_cast<std::size_t>(count);
  if (is_packed(type)) {
    const std::size_t bytes = elements * static_cast<std::size_t>(extent);
    return {{.begin = first * extent, .bytes = bytes, .stride = bytes, .count = 1}};
  }
  // extents may be negative
  const std::ptrdiff_t lowest = extent < 0 ? first + static_cast<std::ptrdiff_t>(count) - 1 : first;
  const auto distance = static_cast<std::size_t>(extent < 0 ? -extent : extent);
  std::vector<Rows> rows;
  for (Rows row : rows_of_element(type)) {
    row.begin += lowest * extent;
    // as few entries as possible: of one row of all elements each, or of one element's rows each
    const bool by_row = row.count < elements && distance >= row.bytes;
    const std::size_t entries = by_row ? row.count : elements;
    for (std::size_t i = 0; i < entries; ++i) {
      Rows entry = row;
      entry.begin += static_cast<std::ptrdiff_t>(i * (by_row ? row.stride : distance));
      if (by_row) {
        entry.stride = distance;
        entry.count = elements;
      }
      rows.push_back(entry);
    }
  }
  return rows;
}

}  // namespace airamp::pmpi
