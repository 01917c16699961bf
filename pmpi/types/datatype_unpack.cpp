// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/datatype_unpack.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "pmpi/mpi/native.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {
namespace {

/// Elements in memory.
struct Destination {
  std::byte* buffer;
  MPI_Datatype type;
  MPI_Comm comm;
  std::size_t element_bytes;  ///< of a message
  MPI_Aint extent = 0;        ///< bytes of memory

  std::byte* element(std::size_t index) const { return buffer + static_cast<std::ptrdiff_t>(index) * extent; }
};

int unpack_elements(const std::byte* data, std::size_t elements, std::size_t first, const Destination& to) {
  int position = 0;
  return native().Unpack(data, static_cast<int>(elements * to.element_bytes), &position, to.element(first),
                         static_cast<int>(elements), to.type, to.comm);
}

/// The first bytes of an element alone: together with what its other bytes are already.
int unpack_part(const std::byte* data, std::size_t bytes, std::size_t index, const Destination& to) {
  std::vector<std::byte> whole(to.element_bytes);
  int position = 0;
  const int error =
      native().Pack(to.element(index), 1, to.type, whole.data(), static_cast<int>(whole.size()), &position, to.comm);
  if (error != MPI_SUCCESS) return error;
  std::memcpy(whole.data(), data, bytes);
  return unpack_elements(whole.data(), 1, index, to);
}

}  // namespace

int unpack(const std::byte* data, std::size_t bytes, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
  const std::size_t room = payload_bytes(count, type);
  const std::size_t taken = std::min(bytes, room);
  const int truncated = bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
  if (taken == 0) return truncated;  // there may be no buffer then
  const DatatypeInfo info = datatype_info(type);
  if (info.packed) {
    std::memcpy(buffer, data, taken);
    return truncated;
  }
  Destination to{.buffer = static_cast<std::byte*>(buffer), .type = type, .comm = comm, .element_bytes = info.size};
  if (to.element_bytes == 0) return truncated;
  MPI_Aint lower_bound = 0;
  int error = native().Type_get_extent(type, &lower_bound, &to.extent);
  const std::size_t whole = taken / to.element_bytes;
  const std::size_t rest = taken % to.element_bytes;
  if (error == MPI_SUCCESS && whole > 0) error = unpack_elements(data, whole, 0, to);
  if (error == MPI_SUCCESS && rest > 0) error = unpack_part(data + (taken - rest), rest, whole, to);
  return error == MPI_SUCCESS ? truncated : error;
}

}  // namespace airamp::pmpi
