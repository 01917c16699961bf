// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/movements/packed_elements.hpp"

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

/// Those of `data`, which has none before the first that is packed; nullptr if these elements are not.
PackedElements* packed_in(CollectiveData& data, const Elements& elements, MPI_Comm comm) {
  if (elements.count <= 0 || !is_carried_packed(datatype_info(elements.type))) return nullptr;
  if (data.packed == nullptr) data.packed = std::make_shared<PackedElements>(comm);
  return data.packed.get();
}

}  // namespace

PackedElements::Packed& PackedElements::add(std::vector<Packed>& to, const Elements& elements) {
  if (elements.at == MPI_BOTTOM) error_ = MPI_ERR_BUFFER;  // MPICH packs none of absolute addresses
  const std::uint64_t bytes = payload_bytes(elements.count, elements.type);
  to.push_back({.elements = elements,
                .bytes = static_cast<int>(bytes),
                .memory = std::make_unique_for_overwrite<std::byte[]>(bytes)});
  return to.back();
}

const std::byte* PackedElements::give(const Elements& elements) {
  const Packed& packed = add(given_, elements);
  pack(packed);
  return packed.memory.get();
}

std::byte* PackedElements::take(const Elements& elements, bool may_be_less) {
  const Packed& packed = add(taken_, elements);
  if (may_be_less) pack(packed);
  return packed.memory.get();
}

void PackedElements::pack(const Packed& packed) {
  const Elements& from = packed.elements;
  if (from.at == MPI_BOTTOM) return;
  int position = 0;
  const int error = native().Pack(from.at, static_cast<int>(from.count), from.type, packed.memory.get(), packed.bytes,
                                  &position, comm_);
  if (error_ == MPI_SUCCESS) error_ = error;
}

void PackedElements::pack_taken() {
  for (const Packed& packed : taken_) pack(packed);
}

int PackedElements::unpack() {
  for (const Packed& packed : taken_) {
    const Elements& to = packed.elements;
    int position = 0;
    const int error = native().Unpack(packed.memory.get(), packed.bytes, &position, to.at, static_cast<int>(to.count),
                                      to.type, comm_);
    if (error_ == MPI_SUCCESS) error_ = error;
  }
  return error_;
}

const std::byte* place_of_given(const Elements& elements, MPI_Comm comm, CollectiveData& data) {
  PackedElements* const packed = packed_in(data, elements, comm);
  return packed != nullptr ? packed->give(elements) : static_cast<const std::byte*>(elements.at);
}

std::byte* place_of_taken(const Elements& elements, MPI_Comm comm, CollectiveData& data, bool may_be_less) {
  PackedElements* const packed = packed_in(data, elements, comm);
  return packed != nullptr ? packed->take(elements, may_be_less) : static_cast<std::byte*>(elements.at);
}

}  // namespace airamp::pmpi
