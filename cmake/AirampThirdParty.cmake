# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
# Sources of libraries that the system lacks: airamp_third_party().
#
# AIRAMP_THIRD_PARTY: AUTO takes what is installed, else what lies in third_party/ (the release tarball has it), else
# downloads it from Debian's servers into the build folder. SYSTEM takes what is installed alone, BUNDLED never does.

set(AIRAMP_THIRD_PARTY AUTO CACHE STRING "Where libraries come from: AUTO, SYSTEM or BUNDLED")
set_property(CACHE AIRAMP_THIRD_PARTY PROPERTY STRINGS AUTO SYSTEM BUNDLED)
set(airamp_debian_servers
    https://deb.debian.org/debian https://snapshot.debian.org/archive/debian/20251001T000000Z)

# airamp_third_party(NAME ARCHIVE SHA256 KEPT...): sets NAME_ROOT to a folder with the sources, or to nothing where they
# are neither at hand nor to be had. ARCHIVE is below Debian's pool/main, KEPT are the parts of it that are wanted.
function(airamp_third_party name archive sha256)
  set(${name}_ROOT "" PARENT_SCOPE)
  set(bundled ${PROJECT_SOURCE_DIR}/third_party/${name})
  set(folder ${PROJECT_BINARY_DIR}/third_party/${name})
  if(EXISTS ${bundled})
    set(${name}_ROOT ${bundled} PARENT_SCOPE)
    return()
  endif()
  if(NOT EXISTS ${folder})
    cmake_path(GET archive FILENAME file)
    set(download ${PROJECT_BINARY_DIR}/downloads/${file})
    foreach(server IN LISTS airamp_debian_servers)
      message(STATUS "${name}: downloading ${server}/pool/main/${archive}")
      file(DOWNLOAD ${server}/pool/main/${archive} ${download} STATUS status TIMEOUT 120 INACTIVITY_TIMEOUT 20)
      list(POP_FRONT status failed)
      if(NOT failed)
        break()
      endif()
      message(STATUS "${name}: ${status}")
    endforeach()
    if(failed)
      return()
    endif()
    file(SHA256 ${download} found)
    if(NOT found STREQUAL sha256)
      message(FATAL_ERROR "${download}: its SHA-256 is ${found}, not ${sha256}")
    endif()
    set(unpacked ${PROJECT_BINARY_DIR}/downloads/${name})
    file(ARCHIVE_EXTRACT INPUT ${download} DESTINATION ${unpacked})
    file(GLOB top ${unpacked}/*)
    foreach(kept IN LISTS ARGN)
      file(COPY ${top}/${kept} DESTINATION ${folder})
    endforeach()
    file(REMOVE_RECURSE ${unpacked})
  endif()
  set(${name}_ROOT ${folder} PARENT_SCOPE)
endfunction()

# airamp_take(NAME ...): as airamp_third_party(), unless AIRAMP_THIRD_PARTY says SYSTEM.
macro(airamp_take name)
  set(${name}_ROOT "")
  if(NOT AIRAMP_THIRD_PARTY STREQUAL SYSTEM)
    airamp_third_party(${name} ${ARGN})
  endif()
endmacro()
