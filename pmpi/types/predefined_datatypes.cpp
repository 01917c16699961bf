// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/predefined_datatypes.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include "base/fibonacci_hash.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

struct Entry {
  std::uintptr_t key = 0;  ///< the handle's bits; 0 marks a free place
  DatatypeInfo info;
};

constexpr std::size_t places = 256;
std::array<Entry, places> table;

std::size_t place_of(std::uintptr_t key) noexcept { return base::place_by_hash<places>(key); }

void add(MPI_Datatype type, const DatatypeInfo& info) {
  const std::uintptr_t key = bits_of(type);
  if (key == 0 || type == MPI_DATATYPE_NULL) return;  // not in this MPI library
  std::size_t place = place_of(key);
  while (table[place].key != 0) {
    if (table[place].key == key) return;  // two names of one type
    place = (place + 1) % table.size();
  }
  table[place] = {key, info};
}

/// One whose elements have no holes.
void add(MPI_Datatype type, std::size_t size, std::string_view name, std::optional<DataType> number = std::nullopt,
         TypeGroup group = TypeGroup::none) {
  add(type, {.size = size,
             .predefined = true,
             .contiguous_element = true,
             .name = name,
             .element = number ? element_type(*number) : std::nullopt,
             .number = number,
             .group = group,
             .packed = true});
}

void add_number(MPI_Datatype type, DataType number, TypeGroup group) {
  add(type, size_of(number), to_string(number), number, group);
}

void add_integer(MPI_Datatype type, std::size_t size, bool is_signed, TypeGroup group) {
  constexpr std::array signed_integers = {DataType::int8, DataType::int16, DataType::int32, DataType::int64};
  constexpr std::array unsigned_integers = {DataType::uint8, DataType::uint16, DataType::uint32, DataType::uint64};
  const auto place = static_cast<std::size_t>(std::countr_zero(size));
  if (!std::has_single_bit(size) || place >= signed_integers.size()) return;
  add_number(type, is_signed ? signed_integers[place] : unsigned_integers[place], group);
}

template <class Integer>
void add_integer(MPI_Datatype type, TypeGroup group = TypeGroup::c_integer) {
  add_integer(type, sizeof(Integer), std::is_signed_v<Integer>, group);
}

void add_real(MPI_Datatype type, std::size_t size) {
  if (size == sizeof(float)) add_number(type, DataType::float32, TypeGroup::floating_point);
  if (size == sizeof(double)) add_number(type, DataType::float64, TypeGroup::floating_point);
}

void add_complex(MPI_Datatype type, std::size_t size) {
  for (const DataType number : {DataType::complex64, DataType::complex128}) {
    if (size == size_of(number)) add_number(type, number, TypeGroup::complex);
  }
}

/// `size`: of an element without its gap. Fortran's may be wider than the number is.
void add_pair(MPI_Datatype type, DataType number, std::size_t size) {
  const bool packed = !has_gap(number);
  if (packed && size != size_of(number)) return;
  add(type, {.size = size,
             .predefined = true,
             .contiguous_element = packed,
             .name = to_string(number),
             .number = number,
             .group = TypeGroup::pair,
             .packed = packed});
}

/// How large predefined types are, which an MPI library may lack.
class LibrarySizes {
 public:
  /// `comm` hears of types that the library lacks. Of a question that names no communicator those of the application
  /// would; and to give MPI_COMM_WORLD another error handler for so long leaves a trace, even if it gets back its own:
  /// in MPICH, duplicates of a communicator that has never been given one follow the handler of MPI_COMM_WORLD.
  explicit LibrarySizes(MPI_Comm comm) : comm_(comm) {}

  /// Bytes; 0 if the MPI library does not have the type.
  std::size_t of(MPI_Datatype type) const {
    int size = 0;
    if (bits_of(type) == 0 || type == MPI_DATATYPE_NULL || comm_ == MPI_COMM_NULL) return 0;
    if (native().Pack_size(1, type, comm_, &size) != MPI_SUCCESS) return 0;
    return size > 0 ? static_cast<std::size_t>(size) : 0;
  }

 private:
  MPI_Comm comm_;
};

/// Fortran's types are those of C that they equal: MPI takes one for the other where they are, and how wide a type is
/// was for the Fortran compiler to say.
void add_fortran(const LibrarySizes& library) {
  for (MPI_Datatype type : {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8}) {
    add_integer(type, library.of(type), true, TypeGroup::fortran_integer);
  }
  for (MPI_Datatype type : {MPI_REAL, MPI_REAL4, MPI_REAL8, MPI_DOUBLE_PRECISION}) add_real(type, library.of(type));
  for (MPI_Datatype type : {MPI_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16, MPI_DOUBLE_COMPLEX}) {
    add_complex(type, library.of(type));
  }
  if (const std::size_t size = library.of(MPI_CHARACTER); size == 1) add(MPI_CHARACTER, size, "char");
  if (library.of(MPI_LOGICAL) == size_of(DataType::boolean32)) {
    add_number(MPI_LOGICAL, DataType::boolean32, TypeGroup::logical);
  }
  add_pair(MPI_2INTEGER, DataType::int32_int32, library.of(MPI_2INTEGER));
  add_pair(MPI_2REAL, DataType::float32_float32, library.of(MPI_2REAL));
  add_pair(MPI_2DOUBLE_PRECISION, DataType::float64_float64, library.of(MPI_2DOUBLE_PRECISION));
}

}  // namespace

void fill_predefined_datatypes(MPI_Comm comm) {
  add_number(MPI_BYTE, DataType::byte, TypeGroup::byte);
  add(MPI_CHAR, 1, "char");
  add(MPI_PACKED, 1, "packed");
  add_real(MPI_FLOAT, sizeof(float));
  add_real(MPI_DOUBLE, sizeof(double));
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
  add_integer<MPI_Aint>(MPI_AINT, TypeGroup::multi_language);
  add_integer<MPI_Count>(MPI_COUNT, TypeGroup::multi_language);
  add_integer<MPI_Offset>(MPI_OFFSET, TypeGroup::offset);
  if (sizeof(bool) == size_of(DataType::boolean8)) {
    for (MPI_Datatype type : {MPI_C_BOOL, MPI_CXX_BOOL}) add_number(type, DataType::boolean8, TypeGroup::logical);
  }
  for (MPI_Datatype type : {MPI_C_FLOAT_COMPLEX, MPI_CXX_FLOAT_COMPLEX}) add_complex(type, 2 * sizeof(float));
  for (MPI_Datatype type : {MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX}) add_complex(type, 2 * sizeof(double));
  add_pair(MPI_FLOAT_INT, DataType::float32_int32, sizeof(float) + sizeof(int));
  add_pair(MPI_DOUBLE_INT, DataType::float64_int32, sizeof(double) + sizeof(int));
  add_pair(MPI_SHORT_INT, DataType::int16_int32, sizeof(short) + sizeof(int));
  add_pair(MPI_2INT, DataType::int32_int32, 2 * sizeof(int));
  add_pair(MPI_LONG_INT, DataType::int64_int32, sizeof(long) + sizeof(int));
  add_fortran(LibrarySizes(comm));
}

const DatatypeInfo* find_predefined_datatype(MPI_Datatype type) noexcept {
  const std::uintptr_t key = bits_of(type);
  for (std::size_t place = place_of(key); table[place].key != 0; place = (place + 1) % table.size()) {
    if (table[place].key == key) return &table[place].info;
  }
  return nullptr;
}

}  // namespace airamp::pmpi
