# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Device buffers through the fake's collective communication library.
set(ccl AIRAMP_ENABLE_CCL=1)
set(ccl_kinds --accelerated MPI_Allreduce --accelerated MPI_Allgather --accelerated MPI_Reduce_scatter_block
    --accelerated MPI_Bcast)

foreach(ranks 2 3)
  airamp_device_test(ccl.collectives.${ranks} ${ranks} ccl collectives ENVIRONMENT ${ccl} CHECK --path ccl ${ccl_kinds})
endforeach()
airamp_device_test(ccl.tuned 2 none collectives ENVIRONMENT ${ccl})
# Where the GPUs do not reach each other's memory it is the only candidate.
airamp_device_test(ccl.alone 3 none repeated ENVIRONMENT ${ccl} FAKE_GPU_FAIL=map AIRAMP_LOG_LEVEL=error)
airamp_device_test(ccl.places 3 ccl places ENVIRONMENT ${ccl} CHECK --path ccl ${ccl_kinds} --why "different memories")
airamp_device_test(ccl.communicators 3 ccl communicators ENVIRONMENT ${ccl} CHECK --path ccl)
airamp_device_test(ccl.pcontrol 2 ccl pcontrol ENVIRONMENT ${ccl} CHECK --path ccl --why MPI_Pcontrol)
airamp_device_test(ccl.late 2 ccl late ENVIRONMENT ${ccl} CHECK --path ccl)
airamp_device_test(ccl.threads 2 ccl threads ENVIRONMENT ${ccl} CHECK --path ccl)
if(AIRAMP_MPI_FLAVOUR STREQUAL "openmpi")
  airamp_device_test(ccl.random 3 ccl random --calls 200 --most-elements 60000 --seed 4 ENVIRONMENT ${ccl})
endif()

# It is asked for, but there is none, or the ranks cannot use it.
airamp_device_test(ccl.not_enabled 2 ccl failures native CHECK --no-accelerated-calls)
foreach(stage ccl_find ccl_unique_id ccl_open)
  airamp_device_test(ccl.failures.${stage} 3 ccl failures native
                     ENVIRONMENT ${ccl} FAKE_GPU_FAIL=${stage} FAKE_GPU_FAIL_RANK=0
                     CHECK --no-accelerated-calls --why "told to fail: ${stage}")
endforeach()
airamp_device_test(ccl.failures.elsewhere 3 ccl failures native
                   ENVIRONMENT ${ccl} FAKE_GPU_FAIL=ccl_open FAKE_GPU_FAIL_RANK=2
                   CHECK --no-accelerated-calls --why "some rank could not open a communicator")
airamp_device_test(ccl.failures.shared 2 ccl failures native ENVIRONMENT ${ccl} FAKE_GPU_CCL=shared
                   CHECK --no-accelerated-calls --why "ranks share a GPU")

# One rank's library fails later.
airamp_device_test(ccl.failures.start 3 ccl failures error
                   ENVIRONMENT ${ccl} FAKE_GPU_FAIL=ccl_start FAKE_GPU_FAIL_AFTER=3 FAKE_GPU_FAIL_RANK=1
                               AIRAMP_LOG_LEVEL=error)
airamp_device_test(ccl.failures.progress 3 ccl failures error
                   ENVIRONMENT ${ccl} FAKE_GPU_FAIL=progress FAKE_GPU_FAIL_RANK=1 AIRAMP_LOG_LEVEL=error)
