# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Where things are installed. What depends on the MPI library has a place for each family, so that one prefix serves both:
#   lib/airamp/FAMILY/libairamp.so          and the plugins for GPUs
#   bin/airamp_bench.FAMILY
#   libexec/airamp/FAMILY/                  the mini-apps
# The family that is installed first also gets the names without it, as links: lib/libairamp.so, bin/airamp_bench.
# Components: "common", the same for both; "family"; "hip", the plugin for AMD GPUs; "links".

set(airamp_family_libdir ${CMAKE_INSTALL_LIBDIR}/airamp/${AIRAMP_MPI_FAMILY})

# airamp_install_library(TARGET COMPONENT [options of install(TARGETS)])
function(airamp_install_library target component)
  install(TARGETS ${target} ${ARGN} LIBRARY DESTINATION ${airamp_family_libdir} COMPONENT ${component})
  get_target_property(type ${target} TYPE)
  get_target_property(name ${target} OUTPUT_NAME)
  airamp_install_link(${CMAKE_INSTALL_LIBDIR}/lib${name}.so airamp/${AIRAMP_MPI_FAMILY}/lib${name}.so)
  if(type STREQUAL SHARED_LIBRARY)
    get_target_property(version ${target} SOVERSION)
    airamp_install_link(${CMAKE_INSTALL_LIBDIR}/lib${name}.so.${version}
                        airamp/${AIRAMP_MPI_FAMILY}/lib${name}.so.${version})
  endif()
endfunction()

# A program that is linked with the MPI library.
function(airamp_install_program target)
  install(PROGRAMS $<TARGET_FILE:${target}> DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ${target}.${AIRAMP_MPI_FAMILY}
          COMPONENT family)
  airamp_install_link(${CMAKE_INSTALL_BINDIR}/${target} ${target}.${AIRAMP_MPI_FAMILY})
endfunction()

function(airamp_install_mini_app target)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/airamp/${AIRAMP_MPI_FAMILY} COMPONENT family)
endfunction()

# airamp_install_link(LINK TARGET): unless the other family has it.
function(airamp_install_link link target)
  string(REPLACE ${AIRAMP_MPI_FAMILY} "(openmpi|mpich)" pattern ${target})
  install(CODE "
    set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${link}\")
    set(target \"\")
    if(IS_SYMLINK \${link} AND EXISTS \${link})
      file(READ_SYMLINK \${link} target)
    endif()
    if(NOT target MATCHES \"^${pattern}$\")
      get_filename_component(folder \${link} DIRECTORY)
      file(MAKE_DIRECTORY \${folder})
      file(CREATE_LINK ${target} \${link} SYMBOLIC)
      message(STATUS \"Linking: \${link}\")
    endif()" COMPONENT links)
endfunction()
