// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/data_type.hpp"
#include "core/element_type.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/types/type_group.hpp"

namespace airamp::pmpi {

/// What AIRamp knows of a datatype.
struct DatatypeInfo {
  std::uint64_t size = 0;
  bool predefined = false;
  bool contiguous_element = false;     ///< one element without holes: size == extent, lower bound 0
  std::string_view name;               ///< "float32", "int64", ...; "derived" for the rest
  std::optional<ElementType> element;  ///< the float format of one element: its own, by its name, or declared
  std::optional<DataType> number;      ///< the number that an element of a predefined type is, if AIRamp reduces it
  TypeGroup group = TypeGroup::none;   ///< of a predefined type: what operations it takes
  bool packed = false;                 ///< elements lie in memory as they are sent: no holes, in order
};

/// Fills the table of predefined datatypes, creates the attribute on which the others' information hangs, and what
/// library_accepts asks with. Called once in MPI_Init.
void initialise_datatypes();

/// Frees what initialise_datatypes created. Called in MPI_Finalize.
void release_datatypes();

/// Everything known of `type`; the first look at a derived type hangs its information on it. Thread-safe.
DatatypeInfo datatype_info(MPI_Datatype type);

/// Takes the application's word that one element of `type` (two bytes, derived) holds `element`. Thread-safe.
void declare_element(MPI_Datatype type, ElementType element);

/// Whether the MPI library reduces elements of `type` by `op`: it refuses types that are not committed, for
/// one. Local; no error reaches a handler of the application's. Thread-safe; false if another thread asks just now, for
/// one user-level thread must not wait for another in a lock.
bool library_accepts(MPI_Datatype type, MPI_Op op);

/// Bytes of `count` elements of `type`; 0 for MPI_DATATYPE_NULL. Fast for predefined types.
std::uint64_t payload_bytes(MPI_Count count, MPI_Datatype type);

}  // namespace airamp::pmpi
