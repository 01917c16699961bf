// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "testing/mpi_functions.hpp"

#include <dlfcn.h>
#include <link.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace airamp::testing {
namespace {

/// Of the loaded objects that which is named as an MPI library is.
int find_mpi(dl_phdr_info* info, std::size_t /*size*/, void* found) {
  const std::string_view path = info->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with("libmpi.so") && !name.starts_with("libmpich.so")) return 0;
  *static_cast<std::string*>(found) = path;
  return 1;
}

template <class Pointer>
void resolve(void* library, const char* name, Pointer& pointer) {
  pointer = reinterpret_cast<Pointer>(dlsym(library, name));
  if (pointer == nullptr) throw std::runtime_error(std::string("the MPI library has no ") + name);
}

MpiFunctions find_librarys_functions() {
  std::string path;
  dl_iterate_phdr(find_mpi, &path);
  void* const library = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) throw std::runtime_error("no MPI library is loaded that is named libmpi.so or libmpich.so");
  MpiFunctions functions;
  resolve(library, "PMPI_Allreduce", functions.allreduce);
  resolve(library, "PMPI_Reduce", functions.reduce);
  resolve(library, "PMPI_Reduce_scatter", functions.reduce_scatter);
  resolve(library, "PMPI_Reduce_scatter_block", functions.reduce_scatter_block);
  resolve(library, "PMPI_Bcast", functions.bcast);
  resolve(library, "PMPI_Allgather", functions.allgather);
  resolve(library, "PMPI_Allgatherv", functions.allgatherv);
  resolve(library, "PMPI_Alltoall", functions.alltoall);
  resolve(library, "PMPI_Alltoallv", functions.alltoallv);
  resolve(library, "PMPI_Alltoallw", functions.alltoallw);
  resolve(library, "PMPI_Gather", functions.gather);
  resolve(library, "PMPI_Gatherv", functions.gatherv);
  resolve(library, "PMPI_Scatter", functions.scatter);
  resolve(library, "PMPI_Scatterv", functions.scatterv);
  resolve(library, "PMPI_Scan", functions.scan);
  resolve(library, "PMPI_Exscan", functions.exscan);
  resolve(library, "PMPI_Barrier", functions.barrier);
  resolve(library, "PMPI_Iallreduce", functions.iallreduce);
  resolve(library, "PMPI_Ibarrier", functions.ibarrier);
  resolve(library, "PMPI_Wait", functions.wait);
  return functions;
}

}  // namespace

MpiFunctions programs_functions() {
  return {.allreduce = MPI_Allreduce,
          .reduce = MPI_Reduce,
          .reduce_scatter = MPI_Reduce_scatter,
          .reduce_scatter_block = MPI_Reduce_scatter_block,
          .bcast = MPI_Bcast,
          .allgather = MPI_Allgather,
          .allgatherv = MPI_Allgatherv,
          .alltoall = MPI_Alltoall,
          .alltoallv = MPI_Alltoallv,
          .alltoallw = MPI_Alltoallw,
          .gather = MPI_Gather,
          .gatherv = MPI_Gatherv,
          .scatter = MPI_Scatter,
          .scatterv = MPI_Scatterv,
          .scan = MPI_Scan,
          .exscan = MPI_Exscan,
          .barrier = MPI_Barrier,
          .iallreduce = MPI_Iallreduce,
          .ibarrier = MPI_Ibarrier,
          .wait = MPI_Wait};
}

const MpiFunctions& librarys_functions() {
  static const MpiFunctions functions = find_librarys_functions();
  return functions;
}

}  // namespace airamp::testing
