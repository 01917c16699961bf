# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Helpers that keep the folders' CMake files short.

# Warnings for one C++ target of ours.
function(airamp_warnings target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor
    -Wno-missing-field-initializers>)
  if(AIRAMP_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
endfunction()

# One room of the library: airamp_room(NAME SOURCES ... DEPENDS rooms and libraries ...).
function(airamp_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(airamp_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(airamp_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(airamp_${name} PUBLIC ${ROOM_DEPENDS})
  airamp_warnings(airamp_${name})
endfunction()

# One GoogleTest program: airamp_unit_test(NAME SOURCES ... DEPENDS ...); its tests carry the label "unit".
function(airamp_unit_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
  # The tests themselves; what they test is as fast as ever. To optimise them takes longer than they run.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  airamp_warnings(${name})
  include(GoogleTest)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." PROPERTIES LABELS unit)
endfunction()
