# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Device buffers compressed over MPI, as where the ranks' GPUs do not reach each other.
airamp_mpi_program(device_over_mpi SOURCES over_mpi.cpp DEPENDS device_tests)
add_dependencies(device_over_mpi fake_gpu_plugin)

foreach(ranks 2 3 4)
  airamp_device_test(over_mpi.same.${ranks} ${ranks} mpi-two-shot over_mpi same
                     ENVIRONMENT ${compressed} AIRAMP_HOST_SCRATCH=4G
                     CHECK --path mpi-two-shot --min-accelerated-calls 382 --accelerated MPI_Allreduce
                           --accelerated MPI_Allgather --accelerated MPI_Allgatherv)
  if(TEST mpi.device.over_mpi.same.${ranks})
    set_tests_properties(mpi.device.over_mpi.same.${ranks} PROPERTIES TIMEOUT 300)
  endif()
endforeach()
airamp_device_test(over_mpi.collectives 3 mpi-two-shot collectives sums ENVIRONMENT ${compressed}
                   CHECK --path mpi-two-shot --accelerated MPI_Allreduce --accelerated MPI_Allgather)
airamp_device_test(over_mpi.rank_order 3 mpi-two-shot rank_order lossy ENVIRONMENT ${compressed} AIRAMP_CODEC=mxint8
                   CHECK --path mpi-two-shot --accelerated MPI_Allreduce)
airamp_device_test(over_mpi.places 3 mpi-two-shot places ENVIRONMENT ${compressed}
                   CHECK --path mpi-two-shot --why "different memories")
airamp_device_test(over_mpi.pcontrol 2 mpi-two-shot pcontrol ENVIRONMENT ${compressed}
                   CHECK --path mpi-two-shot --why MPI_Pcontrol)
airamp_device_test(over_mpi.threads 2 mpi-two-shot threads ENVIRONMENT ${compressed})
airamp_device_test(over_mpi.repeated 2 none repeated ENVIRONMENT ${compressed} FAKE_GPU_FAIL=map AIRAMP_LOG_LEVEL=error)
foreach(ranks 2 3)
  airamp_device_test(over_mpi.expected.${ranks} ${ranks} mpi-two-shot over_mpi expected ENVIRONMENT ${compressed}
                     CHECK --path mpi-two-shot --accelerated-calls 400)
endforeach()

# One rank finds no pinned memory, or no queue.
airamp_device_test(over_mpi.failures.pinned 3 mpi-two-shot failures native
                   ENVIRONMENT ${compressed} FAKE_GPU_FAIL=pinned FAKE_GPU_FAIL_RANK=1 AIRAMP_LOG_LEVEL=error
                   CHECK --no-accelerated-calls --why "some rank had no memory")
airamp_device_test(over_mpi.failures.queue 3 mpi-two-shot failures native
                   ENVIRONMENT ${compressed} FAKE_GPU_FAIL=queue FAKE_GPU_FAIL_RANK=2 FAKE_GPU_READABLE=1
                               AIRAMP_GPU_AWARE_MPI=yes AIRAMP_LOG_LEVEL=error
                   CHECK --no-accelerated-calls --why "some rank had no memory")

# One rank's GPU fails later.
foreach(stage encode decode)
  airamp_device_test(over_mpi.failures.${stage} 3 mpi-two-shot over_mpi failure
                     ENVIRONMENT ${compressed} FAKE_GPU_FAIL=${stage} FAKE_GPU_FAIL_RANK=1 FAKE_GPU_FAIL_AFTER=9
                                 AIRAMP_LOG_LEVEL=error)
  airamp_device_test(over_mpi.failures.${stage}.measured 3 none over_mpi measured
                     ENVIRONMENT ${compressed} FAKE_GPU_FAIL=${stage} FAKE_GPU_FAIL_RANK=1 FAKE_GPU_FAIL_AFTER=9
                                 AIRAMP_LOG_LEVEL=error)
endforeach()
