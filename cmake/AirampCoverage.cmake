# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Counters of gcov in pmpi/ and tuner/ (AIRAMP_COVERAGE). Each program that ends adds its own to the .gcda files beside the
# objects; a process that is killed adds nothing. Threads count as well, hence atomic.

foreach(target IN ITEMS airamp_tuner airamp_pmpi airamp_preload)
  target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic)
endforeach()
# All that is linked with one of them is linked with this one.
target_link_options(airamp_tuner INTERFACE --coverage)
