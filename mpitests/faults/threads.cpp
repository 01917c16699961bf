// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <array>
#include <thread>
#include <vector>

#include "mpitests/faults/cases.hpp"
#include "mpitests/faults/job.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t stack_factor = 8;  // an instrumented frame takes several times as much
#else
constexpr std::size_t stack_factor = 1;
#endif

void* work_in_thread(void* /*nothing*/) {
  work();
  return nullptr;
}

}  // namespace

void small_stack(const Arguments& arguments) {
  start(MPI_THREAD_SERIALIZED);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  require(pthread_attr_setstacksize(&attributes,
                                    stack_factor * static_cast<std::size_t>(number(arguments, 0, 0)) * 1024) == 0,
          "a stack of this size");
  pthread_t thread{};
  require(pthread_create(&thread, &attributes, work_in_thread, nullptr) == 0, "a thread");
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  finish();
}

void threads(const Arguments& /*arguments*/) {
  start(MPI_THREAD_MULTIPLE);
  std::array<MPI_Comm, 3> communicators{};
  for (MPI_Comm& communicator : communicators) MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  std::vector<std::thread> running;
  for (MPI_Comm communicator : communicators) {
    running.emplace_back([=] {
      Work(communicator).rounds(enough_rounds / 2);
      MPI_Comm own = MPI_COMM_NULL;
      MPI_Comm_dup(communicator, &own);
      Work(own).rounds(enough_rounds / 2);
      MPI_Comm_free(&own);
    });
  }
  for (std::thread& thread : running) thread.join();
  for (MPI_Comm& communicator : communicators) MPI_Comm_free(&communicator);
  finish();
}

}  // namespace airamp::faults
