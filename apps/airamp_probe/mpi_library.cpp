// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/mpi_library.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "apps/airamp_probe/opened_library.hpp"

namespace airamp::probe {

MpiLibrary ask_mpi_library(const std::string& file) {
  MpiLibrary answer;
  const OpenedLibrary library(file);
  answer.trouble = library.trouble();
  if (!answer.trouble.empty()) return answer;
  auto* const get_version = library.function<int(char*, int*)>("MPI_Get_library_version");
  if (get_version == nullptr) {
    answer.trouble = "it has no MPI_Get_library_version";
    return answer;
  }
  // As much as any library writes: MPI_MAX_LIBRARY_VERSION_STRING is 256 in one and 8192 in another.
  std::array<char, 16384> text{};
  int length = 0;
  get_version(text.data(), &length);
  const std::string version(text.data());
  const std::size_t line = std::min(version.find('\n'), version.size());
  answer.version = version.substr(0, line);
  std::replace(answer.version.begin(), answer.version.end(), '\t', ' ');
  answer.details = version.substr(line);
  // MPICH and its derivatives end the process where these are called before MPI_Init.
  if (!answer.version.starts_with("Open MPI")) return answer;
  for (const char* name : {"MPIX_Query_cuda_support", "MPIX_Query_rocm_support", "MPIX_Query_hip_support"}) {
    auto* const query = library.function<int()>(name);
    if (query == nullptr) continue;
    answer.gpu_queries.emplace_back(name);
    if (query() == 1) answer.gpu_consents.emplace_back(name);
  }
  return answer;
}

}  // namespace airamp::probe
