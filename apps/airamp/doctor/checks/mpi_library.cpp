// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/checks/checks.hpp"

namespace airamp::doctor {
namespace {

std::string name_of(MpiFamily family) {
  return family == MpiFamily::openmpi ? "Open MPI" : "MPICH or a derivative of it";
}

/// "Open MPI v4.1.4", without what the library adds behind a comma.
std::string short_version(const std::string& version) { return version.substr(0, version.find(',')); }

}  // namespace

Findings check_mpi_library(const Subject& subject) {
  const MpiInUse& mpi = subject.mpi;
  if (!mpi.family) {
    return {{Verdict::not_known, mpi.trouble,
             "Name the program that will be run: airamp doctor PROGRAM. Load the module of its MPI library before."}};
  }
  if (mpi.launcher && *mpi.launcher != *mpi.family) {
    return {{Verdict::wrong,
             mpi.whose + " uses " + name_of(*mpi.family) + ", but mpirun is that of " + name_of(*mpi.launcher) +
                 ": each rank would run alone",
             "Load one module of an MPI library, that of the program."}};
  }
  if (mpi.library.trouble.empty()) {
    return {{Verdict::good, short_version(mpi.library.version) + ", of " + mpi.whose, ""}};
  }
  return {{Verdict::wrong, mpi.whose + " uses " + name_of(*mpi.family) + ", but: " + mpi.library.trouble,
           "Load the module of this MPI library, or add its folder to LD_LIBRARY_PATH."}};
}

Findings check_airamp_library(const Subject& subject) {
  const AirampLibrary& airamp = subject.airamp;
  if (airamp.path.empty()) {
    // The places that were looked at fill no cell of a table: airamp exec names them.
    return {{Verdict::wrong, airamp.trouble.substr(0, airamp.trouble.find("; looked at")),
             "Install AIRamp for this MPI library (docs/installation.md), or name the file with --library."}};
  }
  if (airamp.family && subject.mpi.family && *airamp.family != *subject.mpi.family) {
    return {{Verdict::wrong,
             airamp.path + " is for " + name_of(*airamp.family) + ", but " + subject.mpi.whose + " uses " +
                 name_of(*subject.mpi.family),
             "Install AIRamp for this MPI library too, into the same prefix (docs/installation.md)."}};
  }
  if (!airamp.trouble.empty()) {
    return {{Verdict::wrong, "it cannot be loaded: " + airamp.trouble,
             "Build AIRamp on this system, or on one with an older C library."}};
  }
  return {
      {Verdict::good,
       airamp.path + " can be loaded" + (airamp.family ? "" : "; its place does not say for which MPI library it is"),
       ""}};
}

}  // namespace airamp::doctor
