// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

TEST(MpiLibraryCheckTest, SaysVersionAndWhoseItIs) {
  MadeUpHost host;
  host.subject.mpi = {.whose = "./app", .family = MpiFamily::openmpi};
  host.subject.mpi.library.version = "Open MPI v4.1.4, package: Debian OpenMPI";
  expect_one(check_mpi_library(host.subject), Verdict::good, "Open MPI v4.1.4, of ./app");
}

TEST(MpiLibraryCheckTest, LibraryThatCannotBeLoaded) {
  MadeUpHost host;
  host.subject.mpi = {.whose = "./app", .family = MpiFamily::mpich};
  host.subject.mpi.library.trouble = "libmpi.so.12: cannot open shared object file";
  expect_one(check_mpi_library(host.subject), Verdict::wrong, "libmpi.so.12: cannot open");
}

TEST(MpiLibraryCheckTest, LauncherOfTheOtherFamily) {
  MadeUpHost host;
  host.subject.mpi = {.whose = "./app", .family = MpiFamily::mpich};
  host.subject.mpi.launcher = MpiFamily::openmpi;
  expect_one(check_mpi_library(host.subject), Verdict::wrong, "mpirun is that of Open MPI");
  host.subject.mpi.launcher = MpiFamily::mpich;
  host.subject.mpi.library.version = "MPICH Version: 4.2.1";
  expect_one(check_mpi_library(host.subject), Verdict::good, "MPICH Version: 4.2.1");
}

TEST(MpiLibraryCheckTest, NoLauncher) {
  MadeUpHost host;
  host.subject.mpi.trouble = "there is no mpirun in any folder of PATH";
  expect_one(check_mpi_library(host.subject), Verdict::not_known, "no mpirun");
}

TEST(AirampLibraryCheckTest, Found) {
  MadeUpHost host;
  host.subject.airamp.path = "/opt/airamp/lib/airamp/openmpi/libairamp.so";
  expect_one(check_airamp_library(host.subject), Verdict::good, "/opt/airamp/lib/airamp/openmpi/libairamp.so");
}

TEST(AirampLibraryCheckTest, NotFoundNamesNoPlaces) {
  MadeUpHost host;
  host.subject.airamp.trouble = "libairamp.so was not found; looked at\n  /a\n  /b";
  expect_one(check_airamp_library(host.subject), Verdict::wrong, "libairamp.so was not found");
}

TEST(AirampLibraryCheckTest, CannotBeLoaded) {
  MadeUpHost host;
  host.subject.airamp = {.path = "/opt/libairamp.so", .trouble = "version `GLIBC_2.38' not found"};
  expect_one(check_airamp_library(host.subject), Verdict::wrong, "GLIBC_2.38");
}

TEST(AirampLibraryCheckTest, OfTheOtherFamily) {
  MadeUpHost host;
  host.subject.airamp = {.path = "/opt/airamp/lib/airamp/mpich/libairamp.so", .family = MpiFamily::mpich};
  host.subject.mpi = {.whose = "mpirun", .family = MpiFamily::openmpi};
  expect_one(check_airamp_library(host.subject), Verdict::wrong, "mpirun uses Open MPI");
  host.subject.mpi.family = MpiFamily::mpich;
  expect_one(check_airamp_library(host.subject), Verdict::good, "can be loaded");
}

}  // namespace
}  // namespace airamp::doctor
