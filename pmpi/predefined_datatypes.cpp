// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/predefined_datatypes.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

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

void add(MPI_Datatype type, std::size_t size, std::string_view name,
         std::optional<gpu::DataType> number = std::nullopt) {
  const std::uintptr_t key = key_of(type);
  if (key == 0 || type == MPI_DATATYPE_NULL) return;  // not in this MPI library
  std::size_t place = place_of(key);
  while (table[place].key != 0) {
    if (table[place].key == key) return;  // two names of one type
    place = (place + 1) % table.size();
  }
  table[place] = {key,
                  {.size = size,
                   .predefined = true,
                   .contiguous_element = true,
                   .name = name,
                   .element = number ? gpu::element_type(*number) : std::nullopt,
                   .number = number,
                   .packed = true}};
}

template <class Integer>
void add_integer(MPI_Datatype type) {
  constexpr std::array<std::string_view, 4> signed_names = {"int8", "int16", "int32", "int64"};
  constexpr std::array<std::string_view, 4> unsigned_names = {"uint8", "uint16", "uint32", "uint64"};
  constexpr int place = std::countr_zero(sizeof(Integer));
  constexpr bool is_signed = std::is_signed_v<Integer>;
  std::optional<gpu::DataType> number;
  if (sizeof(Integer) == 4) number = is_signed ? gpu::DataType::int32 : gpu::DataType::uint32;
  if (sizeof(Integer) == 8) number = is_signed ? gpu::DataType::int64 : gpu::DataType::uint64;
  add(type, sizeof(Integer), is_signed ? signed_names[place] : unsigned_names[place], number);
}

}  // namespace

void fill_predefined_datatypes() {
  add(MPI_BYTE, 1, "byte");
  add(MPI_CHAR, 1, "char");
  add(MPI_PACKED, 1, "packed");
  add(MPI_FLOAT, sizeof(float), "float32", gpu::DataType::float32);
  add(MPI_DOUBLE, sizeof(double), "float64", gpu::DataType::float64);
  add_integer<signed char>(MPI_SIGNED_CHAR);
  add_integer<unsigned char>(MPI_UNSIGNED_CHAR);
  add_integer<short>(MPI_SHORT);
  add_integer<unsigned short>(MPI_UNSIGNED_SHORT);
  add_integer<int>(MPI_INT);
  add_integer<unsigned>(MPI_UNSIGNED);
  add_integer<long>(MPI_LONG);
  add_integer<unsigned long>(MPI_UNSIGNED_LONG);
  add_integer<long long>(MPI_LONG_LONG);
  add_integer<unsigned long long>(MPI_UNSIGNED_LONG_LONG);
  add_integer<std::int8_t>(MPI_INT8_T);
  add_integer<std::int16_t>(MPI_INT16_T);
  add_integer<std::int32_t>(MPI_INT32_T);
  add_integer<std::int64_t>(MPI_INT64_T);
  add_integer<std::uint8_t>(MPI_UINT8_T);
  add_integer<std::uint16_t>(MPI_UINT16_T);
  add_integer<std::uint32_t>(MPI_UINT32_T);
  add_integer<std::uint64_t>(MPI_UINT64_T);
  add_integer<MPI_Aint>(MPI_AINT);
  add_integer<MPI_Count>(MPI_COUNT);
  add_integer<MPI_Offset>(MPI_OFFSET);
}

const DatatypeInfo* find_predefined_datatype(MPI_Datatype type) noexcept {
  const std::uintptr_t key = key_of(type);
  for (std::size_t place = place_of(key); table[place].key != 0; place = (place + 1) % table.size()) {
    if (table[place].key == key) return &table[place].info;
  }
  return nullptr;
}

}  // namespace airamp::pmpi
