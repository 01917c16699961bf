# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Compiles the headers of the larger targets once for all of their sources, which takes less than half the time where
# everything is compiled once. It is for that alone (AIRAMP_PRECOMPILE_HEADERS): each change of a header then compiles
# the whole target, and a source that lacks an #include does not show. ccache does not know such sources again: what the
# builds for several MPI libraries have in common is better left out.

# The headers that stand beside the sources of a target, by the same name.
function(airamp_precompile_headers target)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  set(headers)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    cmake_path(REPLACE_EXTENSION source hpp)
    if(EXISTS ${source})
      list(APPEND headers ${source})
    endif()
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

set(targets ${AIRAMP_PRECOMPILE_HEADERS})
if(targets STREQUAL ON)
  set(targets airamp_config airamp_segment airamp_telemetry airamp_pmpi airamp_pola_replay airamp_report_page
      airamp_bench_calls)
endif()
foreach(target IN LISTS targets)
  if(TARGET ${target})
    airamp_precompile_headers(${target})
  endif()
endforeach()
