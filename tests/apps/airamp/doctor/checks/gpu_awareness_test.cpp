// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

/// A host with a GPU and this MPI library.
void set_library(MadeUpHost& host, MpiFamily family, const std::string& version, const std::string& details = {}) {
  host.subject.gpus.gpus.resize(1);
  host.subject.mpi = {.whose = "mpirun", .family = family};
  host.subject.mpi.library.version = version;
  host.subject.mpi.library.details = details;
}

TEST(GpuAwarenessCheckTest, NobodyAsksWithoutGpus) {
  MadeUpHost host;
  EXPECT_TRUE(check_gpu_awareness(host.subject).empty());
}

TEST(GpuAwarenessCheckTest, OpenMpiAnswers) {
  MadeUpHost host;
  set_library(host, MpiFamily::openmpi, "Open MPI v4.1.6");
  host.subject.mpi.library.gpu_queries = {"MPIX_Query_cuda_support"};
  expect_one(check_gpu_awareness(host.subject), Verdict::worth_knowing, "does not take GPU memory");
  host.subject.mpi.library.gpu_consents = {"MPIX_Query_cuda_support"};
  expect_one(check_gpu_awareness(host.subject), Verdict::good, "MPIX_Query_cuda_support says yes");
}

TEST(GpuAwarenessCheckTest, OpenMpiFiveAnswersOnlyAfterMpiInit) {
  MadeUpHost host;
  set_library(host, MpiFamily::openmpi, "Open MPI v5.0.3");
  host.subject.mpi.library.gpu_queries = {"MPIX_Query_cuda_support"};
  expect_one(check_gpu_awareness(host.subject), Verdict::not_known, "after MPI_Init");
}

TEST(GpuAwarenessCheckTest, MpichByItsConfiguration) {
  MadeUpHost host;
  set_library(host, MpiFamily::mpich, "MPICH Version: 4.2.1", "MPICH configure: --with-device=ch4:ucx");
  expect_one(check_gpu_awareness(host.subject), Verdict::worth_knowing, "not configured");
  set_library(host, MpiFamily::mpich, "MPICH Version: 4.2.1", "MPICH configure: --with-cuda=/usr/local/cuda");
  expect_one(check_gpu_awareness(host.subject), Verdict::good, "configured for GPUs");
  host.set_environment({{"MPIR_CVAR_ENABLE_GPU", "0"}});
  expect_one(check_gpu_awareness(host.subject), Verdict::wrong, "MPIR_CVAR_ENABLE_GPU");
}

TEST(GpuAwarenessCheckTest, DerivativesWantAVariable) {
  MadeUpHost host;
  set_library(host, MpiFamily::mpich, "CRAY MPICH version 8.1.27");
  expect_one(check_gpu_awareness(host.subject), Verdict::worth_knowing, "MPICH_GPU_SUPPORT_ENABLED is not set");
  host.set_environment({{"MPICH_GPU_SUPPORT_ENABLED", "1"}});
  expect_one(check_gpu_awareness(host.subject), Verdict::good, "MPICH_GPU_SUPPORT_ENABLED");
}

TEST(GpuAwarenessCheckTest, TheSettingDecides) {
  MadeUpHost host;
  set_library(host, MpiFamily::openmpi, "Open MPI v4.1.6");
  host.set_environment({{"AIRAMP_GPU_AWARE_MPI", "no"}});
  expect_one(check_gpu_awareness(host.subject), Verdict::worth_knowing, "gpu_aware_mpi says no");
}

}  // namespace
}  // namespace airamp::doctor
