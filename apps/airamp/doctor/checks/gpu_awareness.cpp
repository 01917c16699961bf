// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/pci_devices.hpp"
#include "config/load.hpp"

namespace airamp::doctor {
namespace {

/// MPI libraries that take GPU memory only if a variable says so.
struct Switch {
  std::string_view version;  ///< what the library's own version begins with
  std::string_view variable;
};
constexpr std::array switches = {Switch{"CRAY MPICH", "MPICH_GPU_SUPPORT_ENABLED"}, Switch{"MVAPICH2", "MV2_USE_CUDA"},
                                 Switch{"Intel(R) MPI", "I_MPI_OFFLOAD"}};

bool has_gpu(const Subject& subject) {
  const std::vector<PciDevice> devices = pci_devices(subject.system);
  return !subject.gpus.gpus.empty() || count(devices, PciKind::nvidia_gpu) + count(devices, PciKind::amd_gpu) > 0;
}

/// "Open MPI v5.0.3" has the number 5; 0 of others.
int major_version(const std::string& version) {
  constexpr std::string_view name = "Open MPI v";
  return version.starts_with(name) ? std::atoi(version.c_str() + name.size()) : 0;
}

const std::string consequence =
    ": AIRamp copies for it, and reduces on the GPUs of one host itself; between hosts that is slower";

Finding of_open_mpi(const probe::MpiLibrary& library) {
  if (!library.gpu_consents.empty()) return {Verdict::good, library.gpu_consents.front() + " says yes", ""};
  if (major_version(library.version) >= 5 || library.gpu_queries.empty()) {
    return {Verdict::not_known, "this library says so only after MPI_Init",
            "ompi_info | grep accelerator lists cuda or rocm where it takes GPU memory."};
  }
  return {Verdict::worth_knowing, "the MPI library does not take GPU memory" + consequence,
          "Use an Open MPI that was built --with-cuda or --with-rocm, with a UCX that was too."};
}

Finding of_mpich(const System& system, const probe::MpiLibrary& library) {
  const auto* const wanted = std::find_if(switches.begin(), switches.end(), [&](const Switch& known) {
    return library.version.starts_with(known.version);
  });
  if (wanted != switches.end()) {
    const std::string variable(wanted->variable);
    if (!system.variable(variable).empty() && system.variable(variable) != "0") {
      return {Verdict::good, variable + " is set", ""};
    }
    return {Verdict::worth_knowing, variable + " is not set, so the MPI library does not take GPU memory" + consequence,
            "Set it to 1 for the ranks, if this library was built for GPUs."};
  }
  const bool built = library.details.find("--with-cuda") != std::string::npos ||
                     library.details.find("--with-hip") != std::string::npos;
  if (!built) {
    return {Verdict::worth_knowing, "the MPI library was not configured for GPUs" + consequence,
            "Use an MPICH that was configured --with-cuda or --with-hip."};
  }
  if (system.variable("MPIR_CVAR_ENABLE_GPU") == "0") {
    return {Verdict::wrong, "MPIR_CVAR_ENABLE_GPU=0 has the MPI library not take GPU memory", "Unset it."};
  }
  return {Verdict::good, "the MPI library was configured for GPUs", ""};
}

}  // namespace

Findings check_gpu_awareness(const Subject& subject) {
  if (!has_gpu(subject)) return {};
  const config::Loaded loaded =
      config::load(subject.system.environment, subject.system.root + config::system_configuration_file);
  if (loaded.errors.empty() && loaded.settings.gpu_aware_mpi != config::Detection::detect) {
    const bool yes = loaded.settings.gpu_aware_mpi == config::Detection::yes;
    return {{Verdict::worth_knowing, std::string("the setting gpu_aware_mpi says ") + (yes ? "yes" : "no"),
             "Unset AIRAMP_GPU_AWARE_MPI to have the MPI library asked."}};
  }
  if (!subject.mpi.family || !subject.mpi.library.trouble.empty()) {
    return {{Verdict::not_known, "the MPI library is not known, or cannot be loaded", ""}};
  }
  return {*subject.mpi.family == MpiFamily::openmpi ? of_open_mpi(subject.mpi.library)
                                                    : of_mpich(subject.system, subject.mpi.library)};
}

}  // namespace airamp::doctor
