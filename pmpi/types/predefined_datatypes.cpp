// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/predefined_datatypes.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "pmpi/mpi/native.hpp"

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

void add(MPI_Datatype type, std::size_t size, std::string_view name, std::optional<DataType> number = std::nullopt) {
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
                   .element = number ? element_type(*number) : std::nullopt,
                   .number = number,
                   .packed = true}};
}

void add_integer(MPI_Datatype type, std::size_t size, bool is_signed) {
  constexpr std::array<std::string_view, 4> signed_names = {"int8", "int16", "int32", "int64"};
  constexpr std::array<std::string_view, 4> unsigned_names = {"uint8", "uint16", "uint32", "uint64"};
  const auto place = static_cast<std::size_t>(std::countr_zero(size));
  if (!std::has_single_bit(size) || place >= signed_names.size()) return;
  std::optional<DataType> number;
  if (size == 4) number = is_signed ? DataType::int32 : DataType::uint32;
  if (size == 8) number = is_signed ? DataType::int64 : DataType::uint64;
  add(type, size, is_signed ? signed_names[place] : unsigned_names[place], number);
}

template <class Integer>
void add_integer(MPI_Datatype type) {
  add_integer(type, sizeof(Integer), std::is_signed_v<Integer>);
}

void add_real(MPI_Datatype type, std::size_t size) {
  if (size == sizeof(float)) add(type, size, "float32", DataType::float32);
  if (size == sizeof(double)) add(type, size, "float64", DataType::float64);
}

/// While alive, a mistake in a call that names no communicator is returned to the caller. For MPI_Init alone, where no
/// other thread calls MPI.
class ErrorsReturned {
 public:
  ErrorsReturned() {
    for (Handler& handler : handlers_) {
      if (native().Comm_get_errhandler(handler.communicator, &handler.saved) != MPI_SUCCESS) continue;
      native().Comm_set_errhandler(handler.communicator, MPI_ERRORS_RETURN);
    }
  }
  ~ErrorsReturned() {
    for (Handler& handler : handlers_) {
      if (handler.saved == MPI_ERRHANDLER_NULL) continue;
      native().Comm_set_errhandler(handler.communicator, handler.saved);
      native().Errhandler_free(&handler.saved);
    }
  }
  ErrorsReturned(const ErrorsReturned&) = delete;
  ErrorsReturned& operator=(const ErrorsReturned&) = delete;

 private:
  struct Handler {
    MPI_Comm communicator;
    MPI_Errhandler saved = MPI_ERRHANDLER_NULL;
  };
  // Which of them hears of such mistakes differs between versions of Open MPI. In MPICH it is MPI_COMM_WORLD for as
  // long as MPI_COMM_SELF has never been given a handler, not even the one that it has.
#ifdef OPEN_MPI
  std::array<Handler, 2> handlers_ = {{{MPI_COMM_WORLD}, {MPI_COMM_SELF}}};
#else
  std::array<Handler, 1> handlers_ = {{{MPI_COMM_WORLD}}};
#endif
};

/// 0 if the MPI library does not have the type.
std::size_t size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  if (key_of(type) == 0 || type == MPI_DATATYPE_NULL || native().Type_size_x(type, &size) != MPI_SUCCESS) return 0;
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

/// Fortran's types are those of C that they equal: MPI takes one for the other where they are, and how wide a type is
/// was for the Fortran compiler to say.
void add_fortran() {
  const ErrorsReturned errors_returned;
  for (MPI_Datatype type : {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8}) {
    add_integer(type, size_of(type), true);
  }
  for (MPI_Datatype type : {MPI_REAL, MPI_REAL4, MPI_REAL8, MPI_DOUBLE_PRECISION}) add_real(type, size_of(type));
  if (const std::size_t size = size_of(MPI_CHARACTER); size == 1) add(MPI_CHARACTER, size, "char");
}

}  // namespace

void fill_predefined_datatypes() {
  add(MPI_BYTE, 1, "byte");
  add(MPI_CHAR, 1, "char");
  add(MPI_PACKED, 1, "packed");
  add(MPI_FLOAT, sizeof(float), "float32", DataType::float32);
  add(MPI_DOUBLE, sizeof(double), "float64", DataType::float64);
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
  add_fortran();
}

const DatatypeInfo* find_predefined_datatype(MPI_Datatype type) noexcept {
  const std::uintptr_t key = key_of(type);
  for (std::size_t place = place_of(key); table[place].key != 0; place = (place + 1) % table.size()) {
    if (table[place].key == key) return &table[place].info;
  }
  return nullptr;
}

}  // namespace airamp::pmpi
