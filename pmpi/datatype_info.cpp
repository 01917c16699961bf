// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/datatype_info.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "pmpi/job.hpp"
#include "pmpi/native.hpp"
#include "pmpi/op_info.hpp"
#include "pmpi/predefined_datatypes.hpp"
#include "pmpi/private_communicator.hpp"

namespace airamp::pmpi {
namespace {

int keyval = MPI_KEYVAL_INVALID;
std::mutex derived_mutex;  // several threads may meet one derived type for the first time

/// Of ours: errors about datatypes in calls on the application's communicators reach its error handlers. Never
/// destroyed: a program may exit without MPI_Finalize. Made late: what a null communicator is, the MPI library says,
/// which Python loads after us.
PrivateCommunicator& alone() {
  static auto& made = *new PrivateCommunicator;
  return made;
}
std::mutex alone_mutex;  // one collective at a time

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
std::optional<gpu::ElementType> element_by_name(MPI_Datatype type) {
  const std::string name = name_of(type);
  const auto& declared = job().settings.declared_types;
  if (const auto found = declared.find(name); found != declared.end()) {
    return found->second == config::HalfFormat::float16 ? gpu::ElementType::float16 : gpu::ElementType::bfloat16;
  }
  for (const char* known : {"MPIX_C_FLOAT16", "MPIX_SHORT_FLOAT", "float16"}) {
    if (name == known) return gpu::ElementType::float16;
  }
  for (const char* known : {"MPIX_BFLOAT16", "MPIX_C_BF16", "bfloat16"}) {
    if (name == known) return gpu::ElementType::bfloat16;
  }
  return std::nullopt;
}

bool is_named(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int datatypes = 0;
  int combiner = MPI_COMBINER_NAMED;
  native().Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}

/// Whether elements of `type` lie in memory as they are sent: predefined ones without holes, and runs of such.
bool is_packed(MPI_Datatype type) {
  if (const DatatypeInfo* predefined = find_predefined_datatype(type)) return predefined->packed;
  int integers = 0;
  int addresses = 0;
  int datatypes = 0;
  int combiner = 0;
  MPI_Count size = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  const Native& mpi = native();
  if (mpi.Type_size_x(type, &size) != MPI_SUCCESS || size <= 0) return false;
  if (mpi.Type_get_extent(type, &lower_bound, &extent) != MPI_SUCCESS || lower_bound != 0 || extent != size) {
    return false;
  }
  if (mpi.Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner) != MPI_SUCCESS) return false;
  if (combiner == MPI_COMBINER_NAMED) return true;
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;
  int count = 0;
  MPI_Aint unused = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  if (datatypes != 1 || integers > 1 || addresses != 0 ||
      mpi.Type_get_contents(type, integers, 0, 1, &count, &unused, &inner) != MPI_SUCCESS) {
    return false;
  }
  const bool packed = is_packed(inner);
  if (find_predefined_datatype(inner) == nullptr && !is_named(inner)) mpi.Type_free(&inner);
  return packed;
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
  int integers = 0;
  int addresses = 0;
  int datatypes = 0;
  int combiner = 0;
  if (native().Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner) == MPI_SUCCESS) {
    info.predefined = combiner == MPI_COMBINER_NAMED;
  }
  return info;
}

/// What Fortran's floating-point types and those of extensions hold.
void name_predefined(MPI_Datatype type, DatatypeInfo& info) {
  info.name = "predefined";
  const std::string name = name_of(type);
  if ((name == "MPI_REAL" || name == "MPI_REAL4") && info.size == 4) {
    info.element = gpu::ElementType::float32;
    info.number = gpu::DataType::float32;
    info.name = "float32";
  } else if ((name == "MPI_DOUBLE_PRECISION" || name == "MPI_REAL8" || name == "MPI_REAL") && info.size == 8) {
    info.number = gpu::DataType::float64;
    info.name = "float64";
  } else if (name == "MPI_INTEGER" || name == "MPI_INTEGER4" || name == "MPI_INTEGER8") {
    if (info.size == 4) info.number = gpu::DataType::int32;
    if (info.size == 8) info.number = gpu::DataType::int64;
    if (info.number) info.name = gpu::to_string(*info.number);
  }
}

DatatypeInfo* attached(MPI_Datatype type) {
  void* attribute = nullptr;
  int found = 0;
  if (keyval == MPI_KEYVAL_INVALID) return nullptr;
  if (native().Type_get_attr(type, keyval, &attribute, &found) != MPI_SUCCESS || found == 0) return nullptr;
  return static_cast<DatatypeInfo*>(attribute);
}

/// The information that hangs on a derived type, made on the first look. The caller holds derived_mutex.
DatatypeInfo* attach(MPI_Datatype type) {
  if (DatatypeInfo* info = attached(type)) return info;
  if (keyval == MPI_KEYVAL_INVALID) return nullptr;
  auto info = std::make_unique<DatatypeInfo>(inspect(type));
  if (native().Type_set_attr(type, keyval, info.get()) != MPI_SUCCESS) return nullptr;
  return info.release();
}

}  // namespace

void initialise_datatypes() {
  fill_predefined_datatypes();
  native().Type_create_keyval(copy_nothing, forget, &keyval, nullptr);
  alone().create(MPI_COMM_SELF, 0);
}

void release_datatypes() {
  if (keyval != MPI_KEYVAL_INVALID) native().Type_free_keyval(&keyval);
  alone().free();
}

DatatypeInfo datatype_info(MPI_Datatype type) {
  if (const DatatypeInfo* info = find_predefined_datatype(type)) return *info;
  if (type == MPI_DATATYPE_NULL) return {};
  const std::lock_guard lock(derived_mutex);
  const DatatypeInfo* hung = attached(type);
  DatatypeInfo info = hung != nullptr ? *hung : inspect(type);
  if (info.predefined) {
    name_predefined(type, info);
  } else if (hung == nullptr) {
    attach(type);
  }
  if (info.size == 2 && info.contiguous_element) {
    // asked anew each time: the application may name a type after its first use, and a declaration beats a guess
    if (const auto declared = element_by_name(type)) info.element = declared;
    if (info.element) info.name = gpu::to_string(*info.element);
  }
  return info;
}

void learn_element(MPI_Datatype type, gpu::ElementType element) {
  if (find_predefined_datatype(type) != nullptr) return;  // an integer stays an integer elsewhere
  const std::lock_guard lock(derived_mutex);
  if (DatatypeInfo* info = attach(type); info != nullptr && info->size == 2) info->element = element;
}

bool library_accepts(MPI_Datatype type, MPI_Op op) {
  const std::lock_guard lock(alone_mutex);
  const char nothing = 0;
  char also_nothing = 0;
  return alone().exists() && native().MPI_Allreduce(&nothing, &also_nothing, 0, type, op, alone().get()) == MPI_SUCCESS;
}

std::uint64_t payload_bytes(MPI_Count count, MPI_Datatype type) noexcept {
  if (count <= 0) return 0;
  if (const DatatypeInfo* info = find_predefined_datatype(type)) return static_cast<std::uint64_t>(count) * info->size;
  MPI_Count size = 0;
  if (type == MPI_DATATYPE_NULL || native().Type_size_x(type, &size) != MPI_SUCCESS || size <= 0) return 0;
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

}  // namespace airamp::pmpi
