# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Tests that run under mpirun: airamp_mpi_program() builds one, airamp_mpi_test() registers one run of it.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

if(NOT AIRAMP_MPI_FLAVOUR)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE airamp_mpiexec_version ERROR_QUIET)
  if(airamp_mpiexec_version MATCHES "Open MPI|OpenRTE|PRTE|prte")
    set(AIRAMP_MPI_FLAVOUR openmpi)
  else()
    set(AIRAMP_MPI_FLAVOUR mpich)
  endif()
  set(AIRAMP_MPI_FLAVOUR ${AIRAMP_MPI_FLAVOUR} CACHE STRING "openmpi or mpich: whose mpirun starts the tests")
endif()

# Tests oversubscribe small machines and run as root in containers; Open MPI wants to be told.
if(AIRAMP_MPI_FLAVOUR MATCHES "^(openmpi|ompi5)$")
  set(airamp_mpiexec_flags --allow-run-as-root --oversubscribe --bind-to none)
else()
  set(airamp_mpiexec_flags "")
endif()
set(airamp_check_report ${PROJECT_SOURCE_DIR}/mpitests/check_report.py)
set(airamp_where_native_works ${PROJECT_SOURCE_DIR}/mpitests/where_native_works.py)

# airamp_ranks_yield(TEST): ranks of the test that wait leave their processor to others. There are often more ranks than
# processors; without this a run takes many times as long. And where there is no fast network Open MPI is told so: it
# looks for one for 0.2 s in each start.
function(airamp_ranks_yield test)
  if(AIRAMP_MPI_FLAVOUR STREQUAL mpich)
    set(modification LD_PRELOAD=path_list_prepend:$<TARGET_FILE:yield_when_idle>)
  else()
    set(modification OMPI_MCA_mpi_yield_when_idle=set:1)
    if(NOT EXISTS /dev/infiniband)
      list(APPEND modification OMPI_MCA_pml=set:ob1)
    endif()
  endif()
  set_tests_properties(${test} PROPERTIES ENVIRONMENT_MODIFICATION "${modification}")
endfunction()

# The words that start a program with AIRamp preloaded, behind mpirun's own.
if(TARGET airamp)
  set(airamp_preload_command $<TARGET_FILE:airamp> exec --)
elseif(TARGET airamp_preload)
  set(airamp_preload_command ${CMAKE_COMMAND} -E env LD_PRELOAD=$<TARGET_FILE:airamp_preload>)
endif()

# One MPI program: airamp_mpi_program(NAME SOURCES ... DEPENDS libraries ...).
function(airamp_mpi_program name)
  cmake_parse_arguments(PROGRAM "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${PROGRAM_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${PROGRAM_DEPENDS})
  add_dependencies(${name} yield_when_idle)
  airamp_warnings(${name})
  if(AIRAMP_WARNINGS_AS_ERRORS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Werror>)
  endif()
endfunction()

# One run under mpirun, labelled "mpi":
#   airamp_mpi_test(NAME name RANKS n PROGRAM command arguments...
#                   [ENVIRONMENT VARIABLE=value...] [TIMEOUT seconds]
#                   [LAUNCHER options...]     of mpirun's
#                   [NATIVE]                  without AIRamp
#                   [AS_NATIVE]               skipped where the program fails without AIRamp, as some MPI libraries make it
#                   [WITHIN command...]       that starts all of it; if its status is 77 the test is skipped
#                   [CHECK options...])       the run's report is checked: options of mpitests/check_report.py
function(airamp_mpi_test)
  cmake_parse_arguments(TEST "NATIVE;AS_NATIVE" "NAME;RANKS;TIMEOUT" "PROGRAM;ENVIRONMENT;CHECK;LAUNCHER;WITHIN" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 60)
  endif()
  set(native ${MPIEXEC_EXECUTABLE} ${airamp_mpiexec_flags} ${TEST_LAUNCHER} -n ${TEST_RANKS})
  set(command ${native})
  if(NOT TEST_NATIVE)
    if(NOT airamp_preload_command)
      message(STATUS "${TEST_NAME}: not registered, there is no library to preload")
      return()
    endif()
    list(APPEND command ${airamp_preload_command})
  endif()
  list(APPEND command ${TEST_PROGRAM})
  if(TEST_CHECK)
    list(PREPEND command ${Python3_EXECUTABLE} ${airamp_check_report}
         --report ${CMAKE_CURRENT_BINARY_DIR}/${TEST_NAME}.report.json ${TEST_CHECK} --)
  endif()
  if(TEST_AS_NATIVE)
    list(APPEND native ${TEST_PROGRAM})
    list(LENGTH native words)
    list(PREPEND command ${Python3_EXECUTABLE} ${airamp_where_native_works} ${words} ${native})
  endif()
  add_test(NAME ${TEST_NAME} COMMAND ${TEST_WITHIN} ${command})
  if(TEST_WITHIN OR TEST_AS_NATIVE)
    set_tests_properties(${TEST_NAME} PROPERTIES SKIP_RETURN_CODE 77)
  endif()
  set_tests_properties(${TEST_NAME} PROPERTIES LABELS mpi TIMEOUT ${TEST_TIMEOUT} PROCESSORS ${TEST_RANKS})
  airamp_ranks_yield(${TEST_NAME})
  if(TEST_ENVIRONMENT)
    set_tests_properties(${TEST_NAME} PROPERTIES ENVIRONMENT "${TEST_ENVIRONMENT}")
  endif()
endfunction()
