// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/neighbours/figures.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace airamp::gpu_tests {
namespace {

constexpr int off = 0;
constexpr int on = 1;

bool mpi_reads_device_memory() {
  using Query = int (*)();
  void* symbol = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
  return symbol != nullptr && reinterpret_cast<Query>(symbol)() != 0;
}

std::string median_text(int rounds, const std::function<double()>& timed) {
  std::vector<double> times(static_cast<std::size_t>(rounds));
  for (double& time : times) {
    MPI_Barrier(MPI_COMM_WORLD);
    time = timed();
  }
  MPI_Allreduce(MPI_IN_PLACE, times.data(), rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  std::sort(times.begin(), times.end());
  return to_text(times[times.size() / 2]);
}

}  // namespace

std::string native_and_airamp(int rounds, const std::function<double()>& timed) {
  std::string text;
  if (mpi_reads_device_memory()) {
    MPI_Pcontrol(off);
    text = "native " + median_text(rounds, timed) + ", ";
    MPI_Pcontrol(on);
  }
  return text + "AIRamp " + median_text(rounds, timed) + " us";
}

std::string to_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

void add_figure(std::string& figures, const std::string& label, const std::string& figure) {
  if (!figures.empty()) figures += "; ";
  figures += label + ": " + figure;
}

}  // namespace airamp::gpu_tests
