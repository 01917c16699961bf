// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/datatype_info.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/private_communicator.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/types/datatype_layout.hpp"
#include "pmpi/types/op_info.hpp"
#include "pmpi/types/predefined_datatypes.hpp"

namespace airamp::pmpi {
namespace {

/// What hangs on the library's side of our look at datatypes. Made late: what a null communicator is, the MPI library
/// says, which Python loads after us.
struct Datatypes {
  int keyval = MPI_KEYVAL_INVALID;
  std::mutex derived_mutex;  ///< several threads may meet one derived type for the first time

  /// Of ours: errors about datatypes in calls on the application's communicators reach its error handlers.
  PrivateCommunicator alone;
  std::mutex alone_mutex;  ///< one collective at a time
};
constinit ProcessWide<Datatypes> datatypes;

int forget(MPI_Datatype type, int, void* attribute, void*) {
  forget_type_of_ops(type);
  delete static_cast<DatatypeInfo*>(attribute);
  return MPI_SUCCESS;
}

int copy_nothing(MPI_Datatype, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

/// The name of a datatype; empty if it has none.
std::string name_of(MPI_Datatype type) {
  std::array<char, MPI_MAX_OBJECT_NAME + 1> buffer{};
  int length = 0;
  if (native().Type_get_name(type, buffer.data(), &length) != MPI_SUCCESS || length <= 0) return {};
  return {buffer.data(), static_cast<std::size_t>(length)};
}

/// The float format that a datatype's name declares: names of the MPIX extensions, of the configuration, and plain
/// ones.
std::optional<ElementType> element_by_name(MPI_Datatype type) {
  const std::string name = name_of(type);
  const auto& declared = job().settings.declared_types;
  if (const auto found = declared.find(name); found != declared.end()) {
    return found->second == config::HalfFormat::float16 ? ElementType::float16 : ElementType::bfloat16;
  }
  for (const char* known : {"MPIX_C_FLOAT16", "MPIX_SHORT_FLOAT", "float16"}) {
    if (name == known) return ElementType::float16;
  }
  for (const char* known : {"MPIX_BFLOAT16", "MPIX_C_BF16", "bfloat16"}) {
    if (name == known) return ElementType::bfloat16;
  }
  return std::nullopt;
}

DatatypeInfo inspect(MPI_Datatype type) {
  DatatypeInfo info{.name = "derived"};
  MPI_Count size = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  if (native().Type_size_x(type, &size) != MPI_SUCCESS || size < 0) return info;
  info.size = static_cast<std::uint64_t>(size);
  if (native().Type_get_extent(type, &lower_bound, &extent) != MPI_SUCCESS) return info;
  info.contiguous_element = lower_bound == 0 && extent == size;
  info.packed = is_packed(type);
  info.predefined = is_predefined_type(type);
  return info;
}

DatatypeInfo* attached(MPI_Datatype type) {
  void* attribute = nullptr;
  int found = 0;
  if (datatypes->keyval == MPI_KEYVAL_INVALID) return nullptr;
  if (native().Type_get_attr(type, datatypes->keyval, &attribute, &found) != MPI_SUCCESS || found == 0) return nullptr;
  return static_cast<DatatypeInfo*>(attribute);
}

/// The information that hangs on a derived type, made on the first look. The caller holds derived_mutex.
DatatypeInfo* attach(MPI_Datatype type) {
  if (DatatypeInfo* info = attached(type)) return info;
  if (datatypes->keyval == MPI_KEYVAL_INVALID) return nullptr;
  auto info = std::make_unique<DatatypeInfo>(inspect(type));
  if (native().Type_set_attr(type, datatypes->keyval, info.get()) != MPI_SUCCESS) return nullptr;
  return info.release();
}

}  // namespace

void initialise_datatypes() {
  datatypes->alone.create(MPI_COMM_SELF, 0);
  fill_predefined_datatypes(datatypes->alone.get());
  native().Type_create_keyval(copy_nothing, forget, &datatypes->keyval, nullptr);
}

void release_datatypes() {
  if (datatypes->keyval != MPI_KEYVAL_INVALID) native().Type_free_keyval(&datatypes->keyval);
  datatypes->alone.free();
}

DatatypeInfo datatype_info(MPI_Datatype type) {
  if (const DatatypeInfo* info = find_predefined_datatype(type)) return *info;
  if (type == MPI_DATATYPE_NULL) return {};
  const std::lock_guard lock(datatypes->derived_mutex);
  const DatatypeInfo* hung = attached(type);
  DatatypeInfo info = hung != nullptr ? *hung : inspect(type);
  if (info.predefined) {
    info.name = "predefined";
  } else if (hung == nullptr) {
    attach(type);
  }
  if (info.size == 2 && info.contiguous_element) {
    // asked anew each time: the application may name a type after its first use
    if (const auto declared = element_by_name(type)) info.element = declared;
    if (info.element) info.name = to_string(*info.element);
  }
  return info;
}

void declare_element(MPI_Datatype type, ElementType element) {
  const std::lock_guard lock(datatypes->derived_mutex);
  if (DatatypeInfo* info = attach(type); info != nullptr && info->size == 2) info->element = element;
}

bool library_accepts(MPI_Datatype type, MPI_Op op) {
  const std::unique_lock lock(datatypes->alone_mutex, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  const char nothing = 0;
  char also_nothing = 0;
  const PrivateCommunicator& alone = datatypes->alone;
  return alone.exists() && native().MPI_Allreduce(&nothing, &also_nothing, 0, type, op, alone.get()) == MPI_SUCCESS;
}

std::uint64_t payload_bytes(MPI_Count count, MPI_Datatype type) {
  if (count <= 0) return 0;
  if (const DatatypeInfo* info = find_predefined_datatype(type)) return static_cast<std::uint64_t>(count) * info->size;
  MPI_Count size = 0;
  if (type == MPI_DATATYPE_NULL || native().Type_size_x(type, &size) != MPI_SUCCESS || size <= 0) return 0;
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

}  // namespace airamp::pmpi
