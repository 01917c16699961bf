// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/failure.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace airamp::fake_gpu {
namespace {

long number(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? 0 : std::atol(value);
}

/// As the launchers of Open MPI, of MPICH and of Slurm tell it.
long rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (std::getenv(name) != nullptr) return number(name);
  }
  return 0;
}

}  // namespace

void end(const char* what) {
  std::fprintf(stderr, "fake GPU: %s\n", what);
  std::abort();
}

void explain(gpu::Error& error, std::string_view text) {
  error = {};
  std::copy_n(text.begin(), std::min(text.size(), error.text.size() - 1), error.text.begin());
}

bool fails(std::string_view stage, gpu::Error& error) {
  static std::atomic<long> calls{0};
  static const char* const wanted = rank() == number("FAKE_GPU_FAIL_RANK") ? std::getenv("FAKE_GPU_FAIL") : nullptr;
  static const long after = number("FAKE_GPU_FAIL_AFTER");
  if (wanted == nullptr || stage != wanted || calls.fetch_add(1) < after) return false;
  explain(error, "the fake GPU was told to fail: " + std::string(stage));
  return true;
}

}  // namespace airamp::fake_gpu
