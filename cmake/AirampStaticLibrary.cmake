# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# libairamp.a, for programs that are linked with a static MPICH (or derivative); airamp-config --static-libs says how. Open
# MPI's handles are data that its headers refer to: with it, link dynamically.
if(NOT AIRAMP_MPI_FAMILY STREQUAL mpich OR AIRAMP_COVERAGE OR NOT CMAKE_OBJCOPY OR NOT CMAKE_NM)
  return()
endif()

add_library(airamp_static_parts OBJECT pmpi/entry/entry_points.cpp pmpi/mpi/static/static_native_library.cpp)
foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
  set_property(TARGET airamp_static_parts PROPERTY ${property} $<TARGET_PROPERTY:airamp_pmpi,${property}>)
endforeach()
airamp_warnings(airamp_static_parts)

set(rooms base core config codec gpu pola tuner advice segment telemetry)
list(TRANSFORM rooms PREPEND airamp_)
set(archives "")
foreach(room IN LISTS rooms)
  list(APPEND archives $<TARGET_FILE:${room}>)
endforeach()
if(TARGET LibYaml::LibYaml)
  list(APPEND archives $<TARGET_FILE:LibYaml::LibYaml>)
else()
  list(APPEND archives $<TARGET_FILE:airamp_libyaml>)
endif()

set(airamp_static_folder ${PROJECT_BINARY_DIR}/static)
set(airamp_archive ${airamp_static_folder}/libairamp.a)
set(airamp_link_options ${airamp_static_folder}/link_options)
set(objects $<TARGET_OBJECTS:airamp_static_parts> $<TARGET_OBJECTS:airamp_pmpi>)
file(GENERATE OUTPUT ${airamp_static_folder}/parts CONTENT "$<JOIN:${objects};${archives},\n>")
set(script ${PROJECT_SOURCE_DIR}/cmake/merge_static_library.cmake)
add_custom_command(OUTPUT ${airamp_archive} ${airamp_link_options}
  COMMAND ${CMAKE_COMMAND} -DLINKER=${CMAKE_LINKER} -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY} -DAR=${CMAKE_AR}
          -DFOLDER=${airamp_static_folder} -P ${script}
  DEPENDS ${objects} ${rooms} ${airamp_static_folder}/parts ${script}
  COMMENT "Merging libairamp.a" VERBATIM)
add_custom_target(airamp_static ALL DEPENDS ${airamp_archive})
install(FILES ${airamp_archive} ${airamp_link_options} DESTINATION ${airamp_family_libdir} COMPONENT family)
