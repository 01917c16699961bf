# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Device buffers on several hosts, which AIRAMP_RANKS_PER_HOST emulates.
airamp_mpi_program(device_two_level SOURCES two_level.cpp DEPENDS device_tests)
add_dependencies(device_two_level fake_gpu_plugin)
set(allreduces --accelerated MPI_Allreduce)

# All calls but those of user-defined operations on so few numbers that nobody can tell what they do.
foreach(grid 4:2 6:2 6:3)
  string(REPLACE ":" ";" grid ${grid})
  list(GET grid 0 ranks)
  list(GET grid 1 on_host)
  set(name ${ranks}_by_${on_host})
  set(hosts AIRAMP_RANKS_PER_HOST=${on_host})
  airamp_device_test(two_level.exact.${name} ${ranks} two-level two_level exact ${on_host} ENVIRONMENT ${hosts}
                     CHECK --path two-level ${allreduces} --min-accelerated-calls 190)
  airamp_device_test(two_level.order.${name} ${ranks} two-level two_level order ${on_host} ENVIRONMENT ${hosts}
                     CHECK --path two-level ${allreduces})
  airamp_device_test(two_level.communicators.${name} ${ranks} two-level two_level communicators ${on_host}
                     ENVIRONMENT ${hosts} CHECK --path two-level ${allreduces} --min-accelerated-calls 48)
  airamp_device_test(two_level.lossy.${name} ${ranks} two-level-compressed two_level lossy ${on_host}
                     ENVIRONMENT ${hosts} ${compressed} CHECK --path two-level-compressed ${allreduces})
  foreach(mode exact order communicators lossy)
    if(TEST mpi.device.two_level.${mode}.${name})
      set_tests_properties(mpi.device.two_level.${mode}.${name} PROPERTIES TIMEOUT 300)
    endif()
  endforeach()
endforeach()
set(hosts AIRAMP_RANKS_PER_HOST=2)
airamp_device_test(two_level.tuned 4 none repeated ENVIRONMENT ${hosts})
airamp_device_test(two_level.tuned.compressed 4 none repeated ENVIRONMENT ${hosts} ${compressed})
airamp_device_test(two_level.managed 4 two-level-compressed managed ENVIRONMENT ${hosts} ${compressed}
                   CHECK --path two-level-compressed ${allreduces})
airamp_device_test(two_level.late 4 two-level late ENVIRONMENT ${hosts} CHECK --path two-level ${allreduces})
airamp_device_test(two_level.pcontrol 4 two-level pcontrol ENVIRONMENT ${hosts} CHECK --path two-level --why MPI_Pcontrol)
airamp_device_test(two_level.places 4 two-level places ENVIRONMENT ${hosts}
                   CHECK --path two-level --why "different memories")
airamp_device_test(two_level.threads 4 two-level threads ENVIRONMENT ${hosts} CHECK --path two-level ${allreduces})

# No grid: not acquired, natively right.
airamp_device_test(two_level.uneven 4 two-level two_level communicators ENVIRONMENT AIRAMP_RANKS_PER_HOST=3
                   CHECK --no-accelerated-calls --why "different numbers of its ranks")
airamp_device_test(two_level.one_host 4 two-level two_level communicators
                   CHECK --no-accelerated-calls --why "its ranks are on one host")
airamp_device_test(two_level.one_each 4 two-level two_level communicators ENVIRONMENT AIRAMP_RANKS_PER_HOST=1
                   CHECK --no-accelerated-calls --why "one rank on each host")
foreach(stage allocate map pinned)
  airamp_device_test(two_level.failures.${stage} 4 two-level failures native
                     ENVIRONMENT ${hosts} FAKE_GPU_FAIL=${stage} FAKE_GPU_FAIL_RANK=1 AIRAMP_LOG_LEVEL=error
                     CHECK --no-accelerated-calls --why "no two levels")
endforeach()

# One rank's GPU fails later: in the first step, in the last, between the hosts.
set(one_fails FAKE_GPU_FAIL_RANK=1 AIRAMP_LOG_LEVEL=error AIRAMP_GPU_AWARE_MPI=yes FAKE_GPU_READABLE=1)
foreach(after 4 5)
  airamp_device_test(two_level.failures.launch.${after} 4 two-level two_level failure 2
                     ENVIRONMENT ${hosts} FAKE_GPU_FAIL=launch FAKE_GPU_FAIL_AFTER=${after} ${one_fails})
endforeach()
foreach(stage progress copy)
  airamp_device_test(two_level.failures.${stage} 4 two-level two_level failure 2
                     ENVIRONMENT ${hosts} FAKE_GPU_FAIL=${stage} FAKE_GPU_FAIL_AFTER=3 ${one_fails})
endforeach()
airamp_device_test(two_level.failures.encode 4 two-level-compressed two_level failure 2
                   ENVIRONMENT ${hosts} ${compressed} FAKE_GPU_FAIL=encode FAKE_GPU_FAIL_AFTER=3 ${one_fails})
