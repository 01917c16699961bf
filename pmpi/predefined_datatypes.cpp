// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/predefined_datatypes.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "pmpi/native.hpp"

namespace airamp::pmpi {
namespace {

struct Entry {
  std::uintptr_t key = 0;  ///< the handle's bits; 0 marks a free place
  DatatypeInfo info;
};

std::array<Entry, 256> table;

template <class Handle>
std::uintptr_t key_of(Handle type) noexcept {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(type);
  } else {
    return static_cast<std::uint32_t>(type);
  }
}

std::size_t place_of(std::uintptr_t key) noexcept {
  return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 56U);  // 8 bits: the table's size
}

void add(MPI_Datatype type, std::string_view name, std::optional<gpu::ElementType> element = std::nullopt) {
  const std::uintptr_t key = key_of(type);
  if (key == 0 || type == MPI_DATATYPE_NULL) return;  // not in this MPI library
  MPI_Count size = 0;
  if (native().Type_size_x(type, &size) != MPI_SUCCESS || size <= 0) return;
  std::size_t place = place_of(key);
  while (table[place].key != 0) {
    if (table[place].key == key) return;  // two names of one type
    place = (place + 1) % table.size();
  }
  table[place] = {key,
                  {.size = static_cast<std::uint64_t>(size),
                   .predefined = true,
                   .contiguous_element = true,
                   .name = name,
                   .element = element}};
}

void add_integers() {
  constexpr std::array<std::string_view, 4> signed_names = {"int8", "int16", "int32", "int64"};
  constexpr std::array<std::string_view, 4> unsigned_names = {"uint8", "uint16", "uint32", "uint64"};
  const auto add_sized = [](MPI_Datatype type, const std::array<std::string_view, 4>& names) {
    MPI_Count size = 0;
    if (key_of(type) == 0 || type == MPI_DATATYPE_NULL) return;
    if (native().Type_size_x(type, &size) != MPI_SUCCESS || size < 1 || size > 8) return;
    add(type, names[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(size)))]);
  };
  for (MPI_Datatype type : {MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_INT8_T, MPI_INT16_T,
                            MPI_INT32_T, MPI_INT64_T, MPI_INTEGER, MPI_AINT, MPI_COUNT, MPI_OFFSET}) {
    add_sized(type, signed_names);
  }
  for (MPI_Datatype type : {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
                            MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T}) {
    add_sized(type, unsigned_names);
  }
}

void add_floats() {
  using gpu::ElementType;
  add(MPI_FLOAT, "float32", ElementType::float32);
  add(MPI_DOUBLE, "float64");
  // Fortran's default kinds; a compiler switch may have made them larger
  for (MPI_Datatype type : {MPI_REAL, MPI_DOUBLE_PRECISION}) {
    MPI_Count size = 0;
    if (key_of(type) == 0 || type == MPI_DATATYPE_NULL) continue;
    if (native().Type_size_x(type, &size) != MPI_SUCCESS) continue;
    if (size == 4) add(type, "float32", ElementType::float32);
    if (size == 8) add(type, "float64");
  }
}

}  // namespace

void fill_predefined_datatypes() {
  add(MPI_BYTE, "byte");
  add(MPI_CHAR, "char");
  add(MPI_PACKED, "packed");
  add_integers();
  add_floats();
}

const DatatypeInfo* find_predefined_datatype(MPI_Datatype type) noexcept {
  const std::uintptr_t key = key_of(type);
  for (std::size_t place = place_of(key); table[place].key != 0; place = (place + 1) % table.size()) {
    if (table[place].key == key) return &table[place].info;
  }
  return nullptr;
}

}  // namespace airamp::pmpi
