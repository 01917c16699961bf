// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

/// Whether elements of a type are carried packed: they have holes, or do not lie in the order in which they are sent.
inline bool is_carried_packed(const DatatypeInfo& info) { return info.size > 0 && !info.packed; }

/// Whether so many of them are, of those that a rank gives or gets in a call: not more than 4 MiB.
inline bool fits_packed(MPI_Count count, std::uint64_t element_bytes) {
  constexpr std::uint64_t most = 4U << 20U;
  return count <= 0 || static_cast<std::uint64_t>(count) <= most / element_bytes;
}

/// The elements with holes of one call, in memory of its own, where they lie as they are sent. Not thread-safe.
class PackedElements {
 public:
  /// `comm`: to whose error handler an error of the MPI library goes.
  explicit PackedElements(MPI_Comm comm) : comm_(comm) {}

  /// Packs elements that this rank gives. Where they lie then. Throws std::bad_alloc.
  const std::byte* give(const Elements& elements);

  /// Where an algorithm may put what this rank gets for such elements. `may_be_less`: it may get less, and the rest
  /// stays as it is. Throws std::bad_alloc.
  std::byte* take(const Elements& elements, bool may_be_less);

  /// Packs what the application has where this rank puts what it gets.
  void pack_taken();

  /// Puts what this rank got to where the application wants it; what lies in holes stays. Returns as `error`.
  int unpack();

  /// The first one: elements of types that are not committed are not packed, nor those of absolute addresses.
  int error() const { return error_; }

 private:
  struct Packed {
    Elements elements;
    int bytes;
    std::unique_ptr<std::byte[]> memory;
  };

  Packed& add(std::vector<Packed>& to, const Elements& elements);
  void pack(const Packed& packed);

  MPI_Comm comm_;
  std::vector<Packed> given_;
  std::vector<Packed> taken_;
  int error_ = MPI_SUCCESS;
};

/// Where elements that this rank gives lie as they are sent: where they are, or packed in `data`. Throws
/// std::bad_alloc.
const std::byte* place_of_given(const Elements& elements, MPI_Comm comm, CollectiveData& data);

/// The same of elements that it gets, or of as many at most.
std::byte* place_of_taken(const Elements& elements, MPI_Comm comm, CollectiveData& data, bool may_be_less = false);

/// Whether all that `data` has packed could be.
inline bool is_well_packed(const CollectiveData& data) {
  return data.packed == nullptr || data.packed->error() == MPI_SUCCESS;
}

}  // namespace airamp::pmpi
