// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace airamp::probe {

// What `airamp-probe` answers, as one object of JSON on its standard output. In each of them `trouble` says, for
// people, why nothing is known; it is empty where something is. PCI addresses are those of sysfs, "0000:17:00.0".

/// Whether a shared library can be loaded.
struct Loading {
  std::string trouble;
};

/// What an MPI library says of itself without MPI_Init.
struct MpiLibrary {
  std::string trouble;
  std::string version;                    ///< the first line of MPI_Get_library_version
  std::string details;                    ///< its other lines: MPICH's have the options it was configured with
  std::vector<std::string> gpu_queries;   ///< functions that it has to ask whether it takes GPU memory, and that could
                                          ///< be called: "MPIX_Query_cuda_support"
  std::vector<std::string> gpu_consents;  ///< those of them that said yes
};

/// How NVML's nvmlComputeMode_t numbers who may use a GPU.
enum class ComputeMode : int { shared = 0, exclusive_thread = 1, prohibited = 2, exclusive_process = 3 };

struct Gpu {
  std::string name;
  std::string address;
  int compute_mode = 0;                  ///< a ComputeMode
  bool partitioned = false;              ///< MIG is on
  std::vector<std::uint64_t> processes;  ///< that compute on it, as the driver numbers them
  double pcie_bytes_per_second = 0;      ///< of its link at its best, each way; 0: not known
  double nvlink_bytes_per_second = 0;    ///< of all its active links together, each way; 0: none
};

/// Two GPUs, by their places in Gpus::gpus, of which the first cannot read or write the second's memory.
struct UnreachablePair {
  int from = 0;
  int to = 0;
  std::string why;
};

/// NVIDIA's GPUs, as the driver's own libraries know them. No context is created.
struct Gpus {
  std::string trouble;
  std::string driver;           ///< its version
  std::string cuda_trouble;     ///< why the CUDA driver cannot be initialised; empty if it can
  bool memory_handles = false;  ///< memory can be mapped into other processes
  std::vector<Gpu> gpus;
  std::vector<UnreachablePair> unreachable;
};

/// What is nearest to a GPU.
struct NearGpu {
  std::string address;
  std::string cpus;               ///< a list of processors, "0-15,32-47"
  std::string numa_nodes;         ///< a list
  std::vector<std::string> nics;  ///< nearest of all network cards, by the tree of PCI; names as "eth0", "mlx5_0"
};

/// The host's topology by hwloc.
struct Topology {
  std::string trouble;
  int numa_nodes = 0;
  std::vector<NearGpu> gpus;
};

/// Bytes per second that are copied: a byte that is read and written is one.
struct MemoryBandwidth {
  std::string trouble;
  int processors = 0;         ///< that this process may use
  double all_processors = 0;  ///< each copies within memory of its own
  double one_processor = 0;
};

/// The time that a flag takes from one processor to another.
struct FlagPair {
  int first = 0;
  int second = 0;
  double seconds = 0;
};

struct FlagLatency {
  std::string trouble;
  std::vector<FlagPair> pairs;
};

/// How fast memory was copied between two GPUs, or a GPU and the host (-1).
struct GpuCopy {
  int from = 0;
  int to = 0;
  double bytes_per_second = 0;
};

struct GpuCopies {
  std::string trouble;
  std::vector<GpuCopy> copies;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Loading, trouble)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MpiLibrary, trouble, version, details, gpu_queries, gpu_consents)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Gpu, name, address, compute_mode, partitioned, processes,
                                                pcie_bytes_per_second, nvlink_bytes_per_second)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(UnreachablePair, from, to, why)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Gpus, trouble, driver, cuda_trouble, memory_handles, gpus, unreachable)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(NearGpu, address, cpus, numa_nodes, nics)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Topology, trouble, numa_nodes, gpus)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MemoryBandwidth, trouble, processors, all_processors, one_processor)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FlagPair, first, second, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FlagLatency, trouble, pairs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(GpuCopy, from, to, bytes_per_second)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(GpuCopies, trouble, copies)

}  // namespace airamp::probe
