// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>

#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {

std::map<std::uintptr_t, Type> predefined_types() {
  std::map<std::uintptr_t, Type> types;
  const auto add = [&](MPI_Datatype type, std::size_t size, Number number) {
    types[number_of(type)] = {.size = size, .extent = static_cast<MPI_Aint>(size), .number = number};
  };
  const auto add_integer = [&](MPI_Datatype type, std::size_t size, bool is_signed) {
    const Number number = size == 1   ? is_signed ? Number::int8 : Number::uint8
                          : size == 2 ? is_signed ? Number::int16 : Number::uint16
                          : size == 4 ? is_signed ? Number::int32 : Number::uint32
                          : is_signed ? Number::int64
                                      : Number::uint64;
    add(type, size, number);
  };
  for (MPI_Datatype type : {MPI_BYTE, MPI_PACKED, MPI_CHARACTER, MPI_C_BOOL, MPI_CXX_BOOL}) add(type, 1, Number::none);
  add(MPI_LOGICAL, 4, Number::none);
  for (MPI_Datatype type : {MPI_2INT, MPI_2INTEGER, MPI_2REAL, MPI_FLOAT_INT}) add(type, 8, Number::none);
  add(MPI_2DOUBLE_PRECISION, 16, Number::none);
  for (MPI_Datatype type : {MPI_CHAR, MPI_SIGNED_CHAR, MPI_INT8_T, MPI_INTEGER1}) add_integer(type, 1, true);
  for (MPI_Datatype type : {MPI_UNSIGNED_CHAR, MPI_UINT8_T}) add_integer(type, 1, false);
  for (MPI_Datatype type : {MPI_SHORT, MPI_INT16_T, MPI_INTEGER2}) add_integer(type, 2, true);
  for (MPI_Datatype type : {MPI_UNSIGNED_SHORT, MPI_UINT16_T}) add_integer(type, 2, false);
  for (MPI_Datatype type : {MPI_INT, MPI_INT32_T, MPI_INTEGER, MPI_INTEGER4}) add_integer(type, 4, true);
  for (MPI_Datatype type : {MPI_UNSIGNED, MPI_UINT32_T}) add_integer(type, 4, false);
  for (MPI_Datatype type : {MPI_LONG, MPI_LONG_LONG, MPI_INT64_T, MPI_AINT, MPI_COUNT, MPI_OFFSET, MPI_INTEGER8})
    add_integer(type, 8, true);
  for (MPI_Datatype type : {MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UINT64_T}) add_integer(type, 8, false);
  for (MPI_Datatype type : {MPI_FLOAT, MPI_REAL, MPI_REAL4}) add(type, 4, Number::float32);
  for (MPI_Datatype type : {MPI_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL8}) add(type, 8, Number::float64);
  for (MPI_Datatype type : {MPI_C_FLOAT_COMPLEX, MPI_CXX_FLOAT_COMPLEX, MPI_COMPLEX, MPI_COMPLEX8})
    add(type, 8, Number::complex64);
  for (MPI_Datatype type : {MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX16})
    add(type, 16, Number::complex128);
  return types;
}

Type* find_type(MPI_Datatype type) {
  const auto found = world().types.find(number_of(type));
  return found != world().types.end() ? &found->second : nullptr;
}

namespace {

template <class T>
T combine(T a, T b, MPI_Op op) {
  if (op == MPI_SUM) return static_cast<T>(a + b);
  if (op == MPI_PROD) return static_cast<T>(a * b);
  if constexpr (std::is_arithmetic_v<T>) {
    if (op == MPI_MAX) return std::max(a, b);
    if (op == MPI_MIN) return std::min(a, b);
  }
  if constexpr (std::is_integral_v<T>) {
    if (op == MPI_BOR) return static_cast<T>(a | b);
    if (op == MPI_BAND) return static_cast<T>(a & b);
  }
  misuse("a reduction that is not known here");
  return b;
}

template <class T>
void reduce_as(const void* in, void* inout, std::size_t elements, MPI_Op op) {
  const auto* from = static_cast<const std::byte*>(in);
  auto* to = static_cast<std::byte*>(inout);
  for (std::size_t i = 0; i < elements; ++i, from += sizeof(T), to += sizeof(T)) {
    T a;
    T b;
    std::memcpy(&a, from, sizeof a);
    std::memcpy(&b, to, sizeof b);
    b = combine(a, b, op);
    std::memcpy(to, &b, sizeof b);
  }
}

}  // namespace

int reduce(const void* in, void* inout, std::size_t elements, MPI_Datatype type, MPI_Op op) {
  if (elements == 0) return MPI_SUCCESS;
  if (const auto own = world().operations.find(number_of(op)); own != world().operations.end()) {
    int length = static_cast<int>(elements);
    own->second.function(const_cast<void*>(in), inout, &length, &type);
    return MPI_SUCCESS;
  }
  const Type* const there = find_type(type);
  switch (there != nullptr ? there->number : Number::none) {
    case Number::int8:
      reduce_as<std::int8_t>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::uint8:
      reduce_as<std::uint8_t>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::int16:
      reduce_as<std::int16_t>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::uint16:
      reduce_as<std::uint16_t>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::int32:
      reduce_as<std::int32_t>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::uint32:
      reduce_as<std::uint32_t>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::int64:
      reduce_as<std::int64_t>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::uint64:
      reduce_as<std::uint64_t>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::float32:
      reduce_as<float>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::float64:
      reduce_as<double>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::complex64:
      reduce_as<std::complex<float>>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::complex128:
      reduce_as<std::complex<double>>(in, inout, elements, op);
      return MPI_SUCCESS;
    case Number::none:
      break;
  }
  return MPI_ERR_OP;
}

namespace {

MPI_Datatype add_type(Type type) {
  const std::uintptr_t number = new_number();
  world().types.emplace(number, std::move(type));
  return handle_of<MPI_Datatype>(number);
}

/// A call about one type.
struct OnType : Call {
  OnType(const char* function, MPI_Datatype handle) : Call(function), type(find_type(handle)) {
    if (type == nullptr && error == MPI_SUCCESS) error = raise(MPI_COMM_WORLD, MPI_ERR_TYPE);
  }

  Type* type;
};

int type_size_x(MPI_Datatype type, MPI_Count* size) {
  const OnType call("Type_size_x", type);
  if (call.error == MPI_SUCCESS) *size = static_cast<MPI_Count>(call.type->size);
  return call.error;
}

int pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* size) {
  const Call call("Pack_size");
  const Type* const there = find_type(type);
  if (call.error != MPI_SUCCESS) return call.error;
  if (there == nullptr) return raise(comm, MPI_ERR_TYPE);
  *size = count * static_cast<int>(there->size);
  return MPI_SUCCESS;
}

int type_get_extent(MPI_Datatype type, MPI_Aint* lower_bound, MPI_Aint* extent) {
  const OnType call("Type_get_extent", type);
  if (call.error != MPI_SUCCESS) return call.error;
  *lower_bound = 0;
  *extent = call.type->extent;
  return MPI_SUCCESS;
}

int type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* datatypes, int* combiner) {
  const OnType call("Type_get_envelope", type);
  if (call.error != MPI_SUCCESS) return call.error;
  *combiner = call.type->combiner;
  *integers = *combiner == MPI_COMBINER_CONTIGUOUS ? 1 : 0;
  *addresses = *combiner == MPI_COMBINER_RESIZED ? 2 : 0;
  *datatypes = *combiner == MPI_COMBINER_NAMED ? 0 : 1;
  return MPI_SUCCESS;
}

int type_get_contents(MPI_Datatype type, int, int, int, int* integers, MPI_Aint*, MPI_Datatype* datatypes) {
  const OnType call("Type_get_contents", type);
  if (call.error != MPI_SUCCESS) return call.error;
  *integers = call.type->count;
  Type inner = *find_type(call.type->inner);
  inner.attributes.clear();
  // a derived one is a new handle, which the caller frees
  *datatypes = inner.combiner == MPI_COMBINER_NAMED ? call.type->inner : add_type(inner);
  return MPI_SUCCESS;
}

int type_get_name(MPI_Datatype type, char* name, int* length) {
  const OnType call("Type_get_name", type);
  if (call.error != MPI_SUCCESS) return call.error;
  *length = std::snprintf(name, MPI_MAX_OBJECT_NAME, "%s", call.type->name.c_str());
  return MPI_SUCCESS;
}

int type_create_keyval(MPI_Type_copy_attr_function*, MPI_Type_delete_attr_function* remove, int* keyval, void* extra) {
  const Call call("Type_create_keyval");
  if (call.error != MPI_SUCCESS) return call.error;
  *keyval = static_cast<int>(new_number());
  world().keyvals[*keyval].remove_of_type = [remove, extra](MPI_Datatype type, int key, void* value) {
    return remove(type, key, value, extra);
  };
  return MPI_SUCCESS;
}

int type_free_keyval(int* keyval) {
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int type_get_attr(MPI_Datatype type, int keyval, void* value, int* found) {
  const OnType call("Type_get_attr", type);
  if (call.error != MPI_SUCCESS) return call.error;
  const auto entry = call.type->attributes.find(keyval);
  *found = entry != call.type->attributes.end() ? 1 : 0;
  if (*found != 0) *static_cast<void**>(value) = entry->second;
  return MPI_SUCCESS;
}

int type_set_attr(MPI_Datatype type, int keyval, void* value) {
  const OnType call("Type_set_attr", type);
  if (call.error == MPI_SUCCESS) call.type->attributes[keyval] = value;
  return call.error;
}

int type_free(MPI_Datatype* type) {
  free_type(*type);
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int op_create(MPI_User_function* function, int, MPI_Op* op) {
  const Call call("Op_create");
  if (call.error != MPI_SUCCESS) return call.error;
  const std::uintptr_t number = new_number();
  world().operations.emplace(number, Operation{.function = function});
  *op = handle_of<MPI_Op>(number);
  return MPI_SUCCESS;
}

int op_free(MPI_Op* op) {
  world().operations.erase(number_of(*op));
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
  const Call call("Reduce_local");
  return call.error != MPI_SUCCESS ? call.error : reduce(in, inout, static_cast<std::size_t>(count), type, op);
}

}  // namespace

MPI_Datatype make_contiguous(int count, MPI_Datatype inner, const std::string& name) {
  const Type& of = *find_type(inner);
  return add_type({.size = of.size * static_cast<std::size_t>(count),
                   .extent = of.extent * count,
                   .combiner = MPI_COMBINER_CONTIGUOUS,
                   .count = count,
                   .inner = inner,
                   .name = name,
                   .attributes = {}});
}

MPI_Datatype make_padded(MPI_Datatype inner, MPI_Aint extent) {
  return add_type({.size = find_type(inner)->size,
                   .extent = extent,
                   .combiner = MPI_COMBINER_RESIZED,
                   .inner = inner,
                   .name = {},
                   .attributes = {}});
}

void free_type(MPI_Datatype type) {
  const auto attributes = find_type(type)->attributes;
  for (const auto& [keyval, value] : attributes) world().keyvals.at(keyval).remove_of_type(type, keyval, value);
  world().types.erase(number_of(type));
}

void add_datatypes(pmpi::Native& table) {
  table.Pack_size = pack_size;
  table.Type_size_x = type_size_x;
  table.Type_get_extent = type_get_extent;
  table.Type_get_true_extent = type_get_extent;
  table.Type_get_envelope = type_get_envelope;
  table.Type_get_contents = type_get_contents;
  table.Type_get_name = type_get_name;
  table.Type_create_keyval = type_create_keyval;
  table.Type_free_keyval = type_free_keyval;
  table.Type_get_attr = type_get_attr;
  table.Type_set_attr = type_set_attr;
  table.Type_free = type_free;
  table.MPI_Op_create = op_create;
  table.MPI_Op_free = op_free;
  table.Reduce_local = reduce_local;
}

}  // namespace airamp::testing
